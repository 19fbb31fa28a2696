const TIME = String.raw`\d+(?:\.\d+)? ?(?:ns|[\u00b5\u03bc]s|us|ms|s|sec|m|h)(?:[ ,]+\d+(?:\.\d+)?(?:ms|s|m))*`;

const FORMS = {
  round: new RegExp(String.raw` \(${TIME}\)$`),
  square: new RegExp(String.raw` \[${TIME}\]$`),
  tap: new RegExp(String.raw` # time=${TIME}$`),
} as const;

/**
 * Leaves out the time that a runner itself appends to a name, in the form in which that runner writes it. A time in
 * the name's own words stays.
 */
export function withoutTime(text: string, form: keyof typeof FORMS): string {
  return text.replace(FORMS[form], "");
}

/** Whether a runner appended a time. */
export function hasTime(text: string, form: keyof typeof FORMS): boolean {
  return FORMS[form].test(text);
}
