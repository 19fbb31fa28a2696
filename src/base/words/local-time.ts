const two = (number: number) => String(number).padStart(2, "0");

/** A moment in the time zone of this machine, for people: `2026-11-20 13:04:05`. */
export function localTime(time: string): string {
  const at = new Date(time);
  const day = [String(at.getFullYear()), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":")}`;
}
