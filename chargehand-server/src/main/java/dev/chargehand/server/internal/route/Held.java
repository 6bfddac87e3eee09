package dev.chargehand.server.internal.route;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a request holds until it was answered, in any way, such as the place of its stream. Used by the thread of the request. */
public final class Held implements AutoCloseable {

    /** Something that is released without an error, once or several times. */
    @FunctionalInterface
    public interface Releasable {

        /** Release it. */
        void release();
    }

    private final List<Releasable> all = new ArrayList<>();

    /** Hold something until the request was answered. */
    public void add(Releasable value) {
        all.add(value);
    }

    /** Return the newest of what is held of a type; empty if there is none. */
    public <T extends Releasable> Optional<T> find(Class<T> type) {
        return all.reversed().stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /** Release everything. */
    @Override
    public void close() {
        all.forEach(Releasable::release);
    }
}
