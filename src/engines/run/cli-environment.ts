/**
 * What every engine, and every command of the project, may inherit: where programs, settings and certificates
 * are, and how the network is reached. No keys: those are named by the engine's profile, or by the settings.
 */
const COMMON = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TERM"],
  ...["XDG_*", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"],
  ...["http_proxy", "https_proxy", "no_proxy", "all_proxy"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "NODE_OPTIONS"],
  // What tool chains are found by; an agent builds and tests.
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
 * The part of an environment that an engine or a command may see: what is common to all, and what the given rules
 * name; a `*` at the end of a rule is any rest.
 */
export function inheritedBy(
  rules: readonly string[],
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const allowed = [...COMMON, ...rules];
  const kept = Object.entries(environment).filter(([name]) =>
    allowed.some((rule) => fitsRule(rule, name)),
  );
  return Object.fromEntries(kept);
}

/** Whether a rule names a variable: by its whole name, or by how it begins, with a `*` at the end. */
function fitsRule(rule: string, name: string): boolean {
  return rule.endsWith("*") ? name.startsWith(rule.slice(0, -1)) : rule === name;
}
