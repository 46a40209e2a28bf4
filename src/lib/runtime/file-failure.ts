/** The operating system's error codes in words, for the user who named the file. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  EISDIR: 'it is a folder, but a file is needed',
  ENOTDIR: 'a part of its path is a file, but a folder is needed',
  EEXIST: 'it exists already',
  ENOTEMPTY: 'the folder is not empty',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open: raise the limit (ulimit -n)',
  ENFILE: 'too many files are open: raise the limit of the system',
  ENOSPC: 'the disk has no room: free some space',
  EDQUOT: "this user's share of the disk is used up: free some space",
  EFBIG: 'the file is too large for the file system',
  EIO: 'the disk cannot be read or written: check it',
  EBUSY: 'another program uses it',
  ETXTBSY: 'another program uses it',
};

/** The verb of a system call; all others write. */
const verbs: Readonly<Record<string, string>> = {
  open: 'open',
  ...{ read: 'read', stat: 'read', lstat: 'read', scandir: 'read', opendir: 'read' },
};

/** Why a file could not be read or written, in plain words; null for any other error. */
export const fileReason = (error: unknown): string | null =>
  reasons[String((error as Partial<NodeJS.ErrnoException> | null)?.code)] ?? null;

/** The reason with the operation and the path, as far as the error has them; null for any other error. */
export const fileFailure = (error: unknown): string | null => {
  const reason = fileReason(error);
  if (reason === null) return null;
  const { path, syscall = '' } = error as NodeJS.ErrnoException;
  return `cannot ${verbs[syscall] ?? 'write'} ${path ?? 'a file'}: ${reason}`;
};
