/**
 * Hosts are reached with the OpenSSH of this machine and the configuration of its user: names, ports, keys, agents and
 * jump hosts are whatever `ssh <host>` uses. A few options are fixed, because nobody sits at the terminal, and because a
 * session has to notice what happens to its link. `BatchMode=yes`: nothing ever asks; a key with a passphrase has to be
 * in an agent. `StrictHostKeyChecking=yes`: only hosts whose key a person has accepted before, never an unknown or a
 * changed one. `ConnectTimeout=15`, `ServerAliveInterval=5` and `ServerAliveCountMax=3`: a host that does not answer and
 * a link that is cut are noticed within 30 seconds. `ForwardAgent=no` (unless it is asked for), `ForwardX11=no`,
 * `ClearAllForwardings=yes` and `PermitLocalCommand=no`: nothing there gets at this machine, and two connections never
 * want the same port. `RequestTTY=no` (as `-T`) and `RemoteCommand=none`: bytes arrive as they were sent. `LogLevel=ERROR`:
 * what is read as the reason of a failure is not a banner. `ControlMaster` and `ControlPath`: commands share one
 * connection, which ends a minute after the last of them (`ControlPersist=60`) and is never shared with the user's own.
 */

import { isAbsolute, join } from "node:path";
import { assert } from "../../base/assert.ts";
import { sha256 } from "../../base/sha256.ts";

/** One host as an executor. */
export interface SshOptions {
  /** As a person writes it after `--on`. */
  readonly name: string;
  /** `host` or `user@host`, as `ssh` takes it; the rest is in the user's own configuration. */
  readonly destination: string;
  /** Absolute path here of the directory for the sockets of shared connections. Short: sockets allow few characters. */
  readonly control: string;
  /** Absolute path there of the directory for places. Absent: below the user's state directory there. */
  readonly root?: string | undefined;
  /** More options of `ssh`, which stand before the host. */
  readonly arguments?: readonly string[] | undefined;
  /** Whether commands there may use the keys of the agent here. Absent: no. */
  readonly forwardAgent?: boolean | undefined;
}

/** The command line of ssh. */
type SshArgv = readonly [string, ...string[]];

/** How a command uses the shared connection: over its socket, never, as the one that opens it, or to ask about it. */
export type Sharing = "shared" | "apart" | "opening" | "asking";

/** The most characters of a socket's path, less those that ssh appends until it is in place. */
const SOCKET_CHARS_MAX = 103 - 17;

/** Why ssh would not take this for a host, if it would not. */
export function wrongDestination({ destination }: SshOptions): string | undefined {
  const host = destination.slice(destination.lastIndexOf("@") + 1);
  if (destination === "" || host === "") return "it has no host name";
  if (destination.startsWith("-") || host.startsWith("-")) {
    return `the host name ${destination} begins with a hyphen`;
  }
  return /[\s\p{Cc}]/u.test(destination) ? "its host name holds a blank" : undefined;
}

/** The socket of the shared connection; `undefined` if none can be below that directory. */
export function controlSocket(options: SshOptions): string | undefined {
  const { control, destination, forwardAgent = false } = options;
  assert(isAbsolute(control), "sockets are below an absolute path");
  const same = JSON.stringify([destination, forwardAgent, options.arguments ?? []]);
  const path = join(control, sha256(same).slice(0, 12));
  const isUsable = Buffer.byteLength(path) <= SOCKET_CHARS_MAX && !/["\\$\n]/.test(path);
  return isUsable ? path : undefined;
}

/** ssh that runs `line` there without a terminal, or asks about the shared connection if there is no line. */
export function sshArgv(options: SshOptions, sharing: Sharing, line?: string): SshArgv {
  const rest = line === undefined ? [] : [line];
  const query = sharing === "asking" ? ["-O", "check"] : [];
  return [
    "ssh",
    "-T",
    ...[...fixedOptions(options), ...sharingOptions(options, sharing), ...query],
    ...[...(options.arguments ?? []), "--", options.destination, ...rest],
  ];
}

/** ssh that gives a person a terminal there, in which `line` runs. */
export function sshTerminalArgv(options: SshOptions, line: string): SshArgv {
  return [
    "ssh",
    "-t",
    ...[...fixedOptions(options), ...sharingOptions(options, "shared")],
    ...[...(options.arguments ?? []), "--", options.destination, line],
  ];
}

/** ssh takes the first value of an option, so these stand before all others. */
function fixedOptions({ forwardAgent = false }: SshOptions): readonly string[] {
  return [
    ...["BatchMode=yes", "StrictHostKeyChecking=yes"],
    ...["ConnectTimeout=15", "ServerAliveInterval=5", "ServerAliveCountMax=3"],
    ...[`ForwardAgent=${forwardAgent ? "yes" : "no"}`, "ForwardX11=no", "ClearAllForwardings=yes"],
    ...["PermitLocalCommand=no", "RemoteCommand=none", "LogLevel=ERROR"],
  ].flatMap((option) => ["-o", option]);
}

function sharingOptions(options: SshOptions, sharing: Sharing): readonly string[] {
  const socket = sharing === "apart" ? undefined : controlSocket(options);
  // Percent signs are placeholders of ssh's.
  const path = socket === undefined ? "none" : `"${socket.replaceAll("%", "%%")}"`;
  const master = sharing === "opening" ? ["ControlMaster=auto", "ControlPersist=60"] : [];
  const client = sharing === "opening" ? [] : ["ControlMaster=no"];
  return [...master, ...client, `ControlPath=${path}`].flatMap((option) => ["-o", option]);
}
