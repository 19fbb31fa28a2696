/**
 * The ref at which the branch of a session that runs elsewhere is kept as it is there.
 *
 * @param session the id of the session that was started, never that of a revision
 */
export function mirrorRef(session: string): string {
  return `refs/wisp/mirror/${session}`;
}
