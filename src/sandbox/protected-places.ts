/*
 * What nothing in a sandbox may read: keys, tokens, typed input, and the places where programs keep them. Paths are
 * relative to a home. If such a place also holds something that tools need, wisp provides a cleaned copy
 * (`clean-git-config.ts`) or the tools do without it.
 */

/** Files and folders in a home that are not mounted. */
export const HOME_PROTECTED: readonly string[] = [
  // Keys, and programs that keep them.
  ...[".ssh", ".gnupg", ".pki", ".password-store", ".age", ".vault-token", ".1password"],
  ...[".local/share/keyrings", ".local/share/kwalletd", ".config/sops", ".config/op"],
  // Clouds, clusters, containers.
  ...[".aws", ".azure", ".kube", ".docker", ".oci", ".fly", ".vercel", ".databrickscfg"],
  ...[".config/gcloud", ".config/doctl", ".config/rclone", ".config/containers", ".config/helm"],
  ...[".terraform.d", ".terraformrc", ".s3cfg", ".boto", ".snowflake", ".snowsql", ".pulumi"],
  ...[".local/share/containers", ".local/share/com.vercel.cli", ".config/netlify"],
  ...[".config/heroku", ".config/stripe", ".config/configstore", ".config/railway"],
  // git and its hosting services.
  ...[".git-credentials", ".netrc", "_netrc", ".gitconfig", ".config/git", ".gitcookies"],
  ...[".config/gh", ".config/hub", ".config/glab-cli"],
  // Package registries, databases.
  ...[".npmrc", ".yarnrc", ".yarnrc.yml", ".config/pnpm", ".pypirc", ".config/pip", ".pip"],
  ...[".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".bundle/config"],
  ...[".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties"],
  ...[".composer/auth.json", ".config/composer", ".nuget/NuGet/NuGet.Config", ".config/NuGet"],
  ...[".pgpass", ".my.cnf", ".mylogin.cnf", ".cache/huggingface/token"],
  // Browsers, mail, chats and input history.
  ...[".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium"],
  ...[".config/BraveSoftware", ".config/microsoft-edge", ".config/Slack", ".config/discord"],
  ...[".config/Signal", ".local/share/fish", ".lesshst", ".viminfo", ".wget-hsts"],
];

/** Paths of the machine that only root can read; root may run wisp. */
export const SYSTEM_PROTECTED: readonly string[] = [
  ...["/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/gshadow-", "/etc/ssh", "/etc/sudoers"],
  ...["/etc/kubernetes", "/etc/rancher", "/etc/letsencrypt", "/etc/ssl/private", "/etc/wireguard"],
  ...[
    "/etc/docker",
    "/etc/NetworkManager/system-connections",
    "/var/lib/kubelet",
    "/var/lib/docker",
  ],
  ...["/var/lib/rancher", "/var/spool/cron", "/var/backups", "/var/mail", "/var/spool/mail"],
];

/**
 * Folders of the machine into which everyone writes: sockets of agents and services, others' temporary files. They
 * are empty inside, except for what a command needs from them.
 */
export const SHARED_FOLDERS: readonly string[] = ["/tmp", "/var/tmp", "/run"];

const IMAGE_FOLDERS =
  /^\/(?:bin|sbin|lib|lib32|lib64|libx32|usr|etc|dev|proc|sys|run|boot)(?:\/|$)/u;

/** Whether a path, in a container, is the image's own and never the machine's. */
export function isOfImage(path: string): boolean {
  return IMAGE_FOLDERS.test(path);
}

/** A folder in a home, and which of its entries are shown; if absent, all that are not protected. */
export interface OpenedFolder {
  readonly path: string;
  readonly shown?: ReadonlySet<string>;
}

/**
 * Folders in a home that are empty except for some entries: tool chains, and settings that control them. A home is
 * closed by default, because keys turn up in every corner of one. Places named by PATH or by tools' variables are
 * shown too, and so is what the settings allow.
 */
export const OPENED_FOLDERS: readonly OpenedFolder[] = [
  {
    path: "",
    shown: new Set([
      ...[".nvm", ".fnm", ".volta", ".asdf", ".mise", ".nodenv", ".n", ".npm-global", ".deno"],
      ...[".pyenv", ".rbenv", ".rvm", ".goenv", ".jenv", ".sdkman", ".rustup", ".dotnet"],
      ...[".ghcup", ".stack", ".cabal", ".opam", ".elan", ".julia", ".juliaup", ".mix", ".hex"],
      ...[".conda", ".miniconda3", ".micromamba", ".virtualenvs", ".poetry", ".pub-cache"],
      ...[".ivy2", ".sbt", ".swiftpm", ".swiftly", ".nix-profile", ".nix-defexpr", ".linuxbrew"],
      ...[".krew", ".luarocks", ".cpan", ".perl5", ".R", ".android"],
      ...[".tool-versions", ".nvmrc", ".node-version", ".python-version", ".ruby-version"],
      ...[
        ".profile",
        ".bashrc",
        ".bash_profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".editorconfig",
      ],
      ...[".asdfrc", ".condarc", ".gemrc", ".Rprofile", ".bazelrc", ".default-npm-packages"],
    ]),
  },
  {
    path: ".config",
    shown: new Set([
      ...["mise", "rtx", "uv", "ruff", "black", "go", "cabal", "dart", "flutter", "nix", "nixpkgs"],
      ...["direnv", "yarn", "bun", "deno", "kotlin", "sbt", "clangd", "ccache", "rustfmt"],
    ]),
  },
  {
    path: ".cache",
    shown: new Set(["ms-playwright", "puppeteer", "Cypress", "pre-commit", "electron"]),
  },
  { path: ".local" },
  {
    path: ".local/share",
    shown: new Set([
      ...["mise", "rtx", "fnm", "uv", "pipx", "pnpm", "virtualenv", "virtualenvs", "nvm"],
      ...[
        "gem",
        "coursier",
        "swiftly",
        "dotnet",
        "rustup",
        "applications",
        "man",
        "bob",
        "pypoetry",
      ],
    ]),
  },
  { path: ".local/share/pnpm" },
  { path: ".nuget", shown: new Set(["packages"]) },
  { path: ".local/state", shown: new Set() },
  ...[".cargo", "go", ".m2", ".gradle", ".yarn", ".bun", ".bun/install", ".gem"].map((path) => ({
    path,
  })),
];

/**
 * The private caches from which programs load code when they run, not only during installation: packages that are
 * not copied into a project.
 */
export const LOADED_CACHES: readonly string[] = [
  ...[".yarn/berry", ".cache/node", ".cache/deno", ".cache/pypoetry", "go/pkg"],
  ...[".cargo/registry", ".cargo/git", ".m2/repository", ".nuget/packages"],
];

/** Package and compiler caches that are replaced by those of the repository's sandboxes. */
export const PRIVATE_CACHES: readonly string[] = [
  ...[".npm", ".cache/yarn", ".yarn/berry", ".cache/pnpm", ".local/share/pnpm/store"],
  ...[".bun/install/cache", ".cache/node", ".cache/node-gyp", ".cache/deno", ".cache/turbo"],
  ...[".cache/pip", ".cache/uv", ".cache/pypoetry", ".cache/go-build", "go/pkg"],
  ...[".cargo/registry", ".cargo/git", ".m2/repository", ".gradle/caches", ".nuget/packages"],
  ".cache/composer",
];
