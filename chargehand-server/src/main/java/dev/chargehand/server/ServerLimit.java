package dev.chargehand.server;

/** A bound of the server, with its default. Zero never means unlimited. Later versions add bounds. */
public enum ServerLimit {
    /** How large the body of a request may be, in bytes; 4 MiB. A larger one is rejected with status 413. */
    BODY_BYTES("bodyBytes", 4L * 1024 * 1024),
    /** How deeply the JSON of a body may be nested; 64. Deeper JSON is rejected with status 400. */
    JSON_DEPTH("jsonDepth", 64),
    /** How long the path and query of a request may be, in characters; 8,192. Longer ones are rejected with status 414. */
    PATH_LENGTH("pathLength", 8_192),
    /**
     * How many runs that this server has started are executed at once; 1,000. Further ones are stored as pending, for a
     * process whose runtime has {@code Wakeups.all()}.
     */
    RUNS("runs", 1_000),
    /** How many of them are of one tenant; 200. */
    RUNS_OF_TENANT("runsOfTenant", 200),
    /** How many streams of events may be open at once; 5,000. Further ones are rejected with status 429. */
    STREAMS("streams", 5_000),
    /** How many streams of one tenant may be open at once; 1,000. */
    STREAMS_OF_TENANT("streamsOfTenant", 1_000),
    /** How many streams of one run may be open at once; 50. */
    STREAMS_OF_RUN("streamsOfRun", 50);

    private final String key;
    private final long byDefault;

    ServerLimit(String key, long byDefault) {
        this.key = key;
        this.byDefault = byDefault;
    }

    /** Return the name in configuration and problems. */
    public String key() {
        return key;
    }

    /** Return the value that counts if none is set. */
    public long byDefault() {
        return byDefault;
    }
}
