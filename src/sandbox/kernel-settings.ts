/**
 * What is below `/proc`, is of no process, and can be written: settings of the kernel and of its drivers. Their modes give
 * them to the owner, and uid 0 is the owner even without capabilities, so that where wisp runs as root a namespace's
 * own `/proc` leaves them open. Some of them decide what the kernel runs as root. Kernels differ in which of them exist.
 */
export const KERNEL_SETTINGS: readonly string[] = [
  ...["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "driver", "asound", "tty"],
  ...["mtrr", "latency_stats", "lock_stat", "slabinfo", "timer_stats", "splash"],
].map((name) => `/proc/${name}`);
