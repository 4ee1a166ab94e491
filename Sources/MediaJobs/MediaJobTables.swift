import Database

extension SchemaChange {
    /// Jobs that examine videos, each in the row of its file.
    ///
    /// `turn` is the number of unfinished jobs that the uploader had before: jobs are taken by turn, so that nobody's
    /// uploads keep another's waiting. A job without `due_at` is over. `ready_id` is assigned in the transaction of its
    /// end, so that its order is that of commits.
    package static let mediaJobs = SchemaChange(
        name: "0.2.0-media-jobs",
        statements: """
            CREATE TABLE media_job (
                media_id INTEGER PRIMARY KEY REFERENCES media (id),
                owner_id INTEGER NOT NULL REFERENCES account (id),
                state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'ready', 'failed')),
                turn INTEGER NOT NULL,
                due_at INTEGER,
                attempts INTEGER NOT NULL DEFAULT 0,
                worker INTEGER,
                duration REAL,
                width INTEGER,
                height INTEGER,
                codec TEXT,
                poster_id INTEGER REFERENCES media (id),
                error TEXT,
                ready_id INTEGER
            ) STRICT;
            CREATE INDEX media_job_open ON media_job (turn, media_id) WHERE due_at IS NOT NULL;
            CREATE INDEX media_job_by_time ON media_job (due_at, media_id) WHERE due_at IS NOT NULL;
            CREATE INDEX media_job_of_owner ON media_job (owner_id, due_at, media_id);
            CREATE INDEX media_job_of_worker ON media_job (worker, media_id) WHERE worker IS NOT NULL;
            CREATE INDEX media_job_by_poster ON media_job (poster_id, media_id);
            CREATE UNIQUE INDEX media_job_by_end ON media_job (ready_id) WHERE ready_id IS NOT NULL;
            """)
}
