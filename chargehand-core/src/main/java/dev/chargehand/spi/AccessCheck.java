package dev.chargehand.spi;

import java.util.Objects;
import java.util.Optional;

/**
 * A decision whether a caller may open a run, a thread or an approval by its id.
 *
 * <p>A runtime calls it for each such call of an application, with the context that its {@link ContextPropagator}s carry
 * from the calling thread: the check learns from that who the caller is. A denied id behaves like one that does not exist: the call
 * has the same result or exception. Wake-ups, {@code recover} and the calls of a run itself are not checked.
 *
 * <p>It has 10 seconds; without an answer, and after an exception, access is denied. Thread-safe.
 */
@FunctionalInterface
public interface AccessCheck {

    /** Return whether the caller may have the access. */
    boolean mayAccess(Access access);

    /** What is opened. */
    enum Kind {
        /** A run, by the id of it or of a nested run. */
        RUN,
        /** A thread. */
        THREAD,
        /** A call that waits for an answer. */
        APPROVAL,
        /** What agents remember of all conversations of a resource; that of one conversation is opened as its thread. */
        MEMORY
    }

    /**
     * What a caller opens.
     *
     * @param tenantId the tenant that it belongs to, for which the caller acts
     * @param kind what it is
     * @param id the id of the run or thread; of an approval the ids of the run and of the call, with a slash in between; of a memory the
     *     resource
     * @param resourceId the resource that it belongs to, such as that of the root run; empty if it belongs to none
     * @param changes whether the caller may change it: cancels, resumes, answers, appends or deletes, and not only reads
     */
    record Access(String tenantId, Kind kind, String id, Optional<String> resourceId, boolean changes) {

        public Access {
            Objects.requireNonNull(tenantId, "tenantId");
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(resourceId, "resourceId");
        }
    }
}
