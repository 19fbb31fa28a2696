const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** A size for people: `12 KiB`, `340 MiB`, `1.5 GiB`. */
export function sizeWords(bytes: number): string {
  if (bytes >= GIB) return `${(bytes / GIB).toFixed(1)} GiB`;
  if (bytes >= MIB) return `${(bytes / MIB).toFixed(0)} MiB`;
  return `${Math.ceil(bytes / KIB).toFixed(0)} KiB`;
}
