/** Whether a word can be the name of an image of containers, and is no option. */
export function isImageName(image: string): boolean {
  return /^[A-Za-z0-9]\S*$/.test(image);
}
