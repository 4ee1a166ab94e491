/// The commit that was built, as `git describe --always --dirty` names it; "unknown" where the build was not told.
const char *graphd_commit(void);
