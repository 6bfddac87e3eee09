package dev.chargehand.run;

import dev.chargehand.internal.text.TimeBound;
import java.time.Duration;

/** A bound on one kind of wait. */
public enum TimeLimit {
    /** Opening a connection to a provider; default 10 s. */
    CONNECT("connect", Duration.ofSeconds(10)),
    /** From a model call to its first token; reasoning models think first; default 120 s. */
    FIRST_TOKEN("firstToken", Duration.ofMinutes(2)),
    /** Silence in a model's stream after its first token; default 60 s. */
    IDLE("idle", Duration.ofMinutes(1)),
    /** One tool call, unless the tool says otherwise; a delegation has the limits of a run instead; default 60 s. */
    TOOL("tool", Duration.ofMinutes(1)),
    /** One hook, predicate, listener delivery or dynamic setting; default 30 s. */
    HOOK("hook", Duration.ofSeconds(30)),
    /** Active time of a run with all its descendants; time spent suspended or crashed is free; default 30 min. */
    RUN("runTime", Duration.ofMinutes(30)),
    /** Active time of a background task with all its descendants; default 15 min. */
    TASK("taskTime", Duration.ofMinutes(15)),
    /** A stream's consumer that takes nothing while the run waits for it; default 60 s. */
    CONSUMER("consumer", Duration.ofMinutes(1)),
    /** An until-idle call in which nothing happens; its caller waits no longer then; default 5 min. */
    QUIET("quiet", Duration.ofMinutes(5));

    /** No time limit, and no other duration that is given to a runtime, is longer: 36,500 days. */
    public static final Duration LONGEST = TimeBound.LONGEST;

    private final String key;
    private final Duration byDefault;

    TimeLimit(String key, Duration byDefault) {
        this.key = key;
        this.byDefault = byDefault;
    }

    /** Return the name used in stop reasons, configuration and stored runs. */
    public String key() {
        return key;
    }

    /** Return the default. */
    public Duration byDefault() {
        return byDefault;
    }
}
