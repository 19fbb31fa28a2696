/** The different texts that are remembered at most; then all are forgotten, and may be told once more. */
const TEXTS_MAX = 10_000;

/** The same as `tell`, but a text that was told before is left out: each try of an entry would repeat its reason. */
export function toldOnce(tell: (text: string) => void): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (told.has(text)) return;
    if (told.size >= TEXTS_MAX) told.clear();
    told.add(text);
    tell(text);
  };
}
