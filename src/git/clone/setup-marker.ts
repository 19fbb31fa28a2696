/** The file in a clone's `.git` that records the setup that ran in the clone. */
export const SETUP_MARKER = "wisp-setup.sha256";
