import { GIT_SETTINGS_NAMES } from "../../base/git-settings.ts";

/**
 * The variables that every engine, and every command of the project, may inherit: the places of programs, settings
 * and certificates, and the network settings. Keys are not among them; an engine's profile or the settings name
 * those.
 */
const COMMON = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TERM"],
  ...["XDG_*", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"],
  ...["http_proxy", "https_proxy", "no_proxy", "all_proxy"],
  ...GIT_SETTINGS_NAMES,
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "NODE_OPTIONS"],
  // Variables that locate tool chains, because agents build and test.
  ...["JAVA_HOME", "GOPATH", "GOROOT", "GOCACHE", "GOMODCACHE", "CARGO_HOME", "RUSTUP_HOME"],
  ...["NVM_DIR", "VOLTA_HOME", "PNPM_HOME", "BUN_INSTALL", "PYENV_ROOT", "VIRTUAL_ENV", "CI"],
  ...["NODENV_ROOT", "FNM_DIR", "FNM_MULTISHELL_PATH", "COREPACK_HOME", "RBENV_ROOT", "GEM_HOME"],
  ...["GEM_PATH", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "PYTHONPATH", "UV_CACHE_DIR", "SDKMAN_DIR"],
  ...[
    "ASDF_DIR",
    "ASDF_DATA_DIR",
    "MISE_DATA_DIR",
    "GRADLE_HOME",
    "GRADLE_USER_HOME",
    "MAVEN_HOME",
  ],
  ...["M2_HOME", "ANDROID_SDK_ROOT", "SDKROOT", "DEVELOPER_DIR", "NIX_PATH", "LOCALE_ARCHIVE"],
  ...[
    "CC",
    "CXX",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "LD_LIBRARY_PATH",
    "PKG_CONFIG_PATH",
  ],
  ...["DOTNET_ROOT", "ANDROID_HOME", "npm_config_cache", "npm_config_offline", "IS_SANDBOX"],
];

/**
 * The part of an environment that an engine or a command may see: the common variables, and those that match a
 * rule. A `*` at the end of a rule matches any rest.
 */
export function inheritedBy(
  rules: readonly string[],
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const allowed = [...COMMON, ...rules];
  const visible = Object.entries(environment).filter(([name]) =>
    allowed.some((rule) => fitsRule(rule, name)),
  );
  return Object.fromEntries(visible);
}

/** Whether a rule matches a variable: by its full name or, with a `*` at the end, by its beginning. */
export function fitsRule(rule: string, name: string): boolean {
  return rule.endsWith("*") ? name.startsWith(rule.slice(0, -1)) : rule === name;
}
