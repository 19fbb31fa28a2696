import { InvalidArgumentError } from "commander";

/** Parses the value of an option that is a number of things, at least one. */
export function wholeNumber(text: string): number {
  const number = /^\d{1,6}$/u.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw new InvalidArgumentError("It is a whole number of at least 1.");
}
