package dev.chargehand.server;

/** A bound of the server, with its default. Zero never means unlimited. Later versions add bounds. */
public enum ServerLimit {
    /** How large the body of a request may be, in bytes; 4 MiB. A larger one is rejected with status 413. */
    BODY_BYTES("bodyBytes", 4L * 1024 * 1024),
    /** How deeply the JSON of a body may be nested; 64. Deeper JSON is rejected with status 400. */
    JSON_DEPTH("jsonDepth", 64),
    /**
     * How many values the JSON of a body may have, those in lists and objects included; 100,000. More are rejected with status 400: values
     * take much more memory and time than their text.
     */
    JSON_VALUES("jsonValues", 100_000),
    /** How long the path and query of a request may be, in characters; 8,192. Longer ones are rejected with status 414. */
    PATH_LENGTH("pathLength", 8_192),
    /**
     * How many runs that this server has started are executed at once; 1,000. Further ones are stored as pending, for a
     * process whose runtime has {@code Wakeups.all()}.
     */
    RUNS("runs", 1_000),
    /** How many of them are of one tenant; 200. */
    RUNS_OF_TENANT("runsOfTenant", 200),
    /** How many of them one caller has started; 100. Further ones are stored as pending, too. */
    RUNS_OF_CALLER("runsOfCaller", 100),
    /** How many runs of one tenant may be pending when another one is to be stored; 1,000. Further ones are rejected with status 429. */
    PENDING_RUNS_OF_TENANT("pendingRunsOfTenant", 1_000),
    /** How many of them may be of the resource of the caller, if it has one; 200. */
    PENDING_RUNS_OF_RESOURCE("pendingRunsOfResource", 200),
    /** How many requests of one caller are answered in a second in the long run; 50. Further ones are rejected with status 429. */
    REQUESTS_PER_SECOND("requestsPerSecond", 50),
    /** How many requests a caller may send at once that has not sent any for a while; 200. */
    REQUEST_BURST("requestBurst", 200),
    /** How many runs one caller may start in a second in the long run; 10. Further starts are rejected with status 429. */
    STARTS_PER_SECOND("startsPerSecond", 10),
    /** How many runs a caller may start at once that has not started any for a while; 50. */
    START_BURST("startBurst", 50),
    /** How many streams of events may be open at once; 5,000. Further ones are rejected with status 429. */
    STREAMS("streams", 5_000),
    /** How many streams of one tenant may be open at once; 1,000. */
    STREAMS_OF_TENANT("streamsOfTenant", 1_000),
    /** How many streams of one caller may be open at once; 500. */
    STREAMS_OF_CALLER("streamsOfCaller", 500),
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
