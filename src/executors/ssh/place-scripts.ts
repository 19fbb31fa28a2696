/** `<directory, or empty> <key>`: makes the directory of a place, and prints its path; network disks end it with 125. */
export const CREATE_PLACE_SCRIPT = `
umask 077
places=$1
[ -n "$places" ] || places="\${XDG_STATE_HOME:-$HOME/.local/state}/wisp/places"
case $places in /*) ;; *) echo "$places is not an absolute path" >&2; exit 1 ;; esac
root="$places/$2"
mkdir -p -- "$root" && chmod 700 -- "$root" || exit 1
kind=$(stat -f -c %T -- "$root" 2>/dev/null)
case $kind in
  fuse*) kind=$(df -PT -- "$root" 2>/dev/null | sed -n '$s/^.*[[:space:]]\\(fuse[^[:space:]]*\\)[[:space:]].*$/\\1/p') ;;
esac
case $kind in
  nfs*|cifs*|smb*|novell|ncp*|v9fs|9p|lustre|gpfs|fhgfs|beegfs|afs|k-afs|coda|ceph|panfs|pan_fs|gfs*|ocfs2) ;;
  fuse.sshfs|fuse.ceph*|fuse.gluster*|fuse.rclone|fuse.s3*|fuse.gcsfuse|fuse.juicefs|fuse.moosefs|fuse.mfs*) ;;
  *) printf '%s\\n' "$root"; exit 0 ;;
esac
rmdir -- "$root" 2>/dev/null
printf '%s is on a network file system (%s)\\n' "$root" "$kind" >&2
exit 125`;

/** The exit code of the script above if the place would be on a network file system. */
export const NETWORK_DISK_EXIT = 125;

/** `<root>`: ends with 0 if the directory of a place is there, else with 3. */
export const PLACE_STATE_SCRIPT = `[ -d "$1" ] || exit 3`;

/** The exit code of the script above if there is none. */
export const NO_PLACE_EXIT = 3;
