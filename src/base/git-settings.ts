/**
 * Variables by which a person says where git finds its settings, besides those of a repository. They say the same
 * as HOME, so they go where HOME goes.
 */
export const GIT_SETTINGS_NAMES: readonly string[] = [
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_ATTR_NOSYSTEM",
];
