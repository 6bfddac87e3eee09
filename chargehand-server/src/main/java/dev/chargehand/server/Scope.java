package dev.chargehand.server;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** A permission of a caller of the server. Later versions add scopes. */
public enum Scope {
    /** Read which agents there are. */
    AGENTS_READ("agents:read"),
    /** Read the instructions of agents too. */
    AGENTS_INSPECT("agents:inspect"),
    /** Save and publish versions of agents. */
    AGENTS_PUBLISH("agents:publish"),
    /** Read runs, their results and their events. */
    RUNS_READ("runs:read"),
    /** Read the stored facts of runs, for diagnosis. */
    RUNS_INSPECT("runs:inspect"),
    /** Start, cancel and fork runs, and send messages to them. */
    RUNS_WRITE("runs:write"),
    /** Read which calls wait for an answer. */
    APPROVALS_READ("approvals:read"),
    /** Answer waiting calls. */
    APPROVALS_ANSWER("approvals:answer"),
    /** Read threads, their messages, and what agents remember. */
    THREADS_READ("threads:read"),
    /** Create, change, copy and delete threads, and change what agents remember. */
    THREADS_WRITE("threads:write"),
    /** Delete everything that belongs to a resource. */
    RESOURCES_FORGET("resources:forget"),
    /** Act for any resource of the tenant. */
    RESOURCES_ANY("resources:any"),
    /** Resume runs that have stopped. */
    ADMIN("admin");

    private final String text;

    Scope(String text) {
        this.text = text;
    }

    /** Return the scope as it is written in configuration and problems, such as {@code runs:read}. */
    public String text() {
        return text;
    }

    /** Return the scope of a text, or nothing if there is none. */
    public static Optional<Scope> of(String text) {
        return Arrays.stream(values()).filter(scope -> scope.text.equals(text)).findFirst();
    }

    /** Return the texts of all scopes, separated by commas. */
    public static String texts() {
        return Arrays.stream(values()).map(Scope::text).collect(Collectors.joining(", "));
    }
}
