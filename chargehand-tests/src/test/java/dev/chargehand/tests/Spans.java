package dev.chargehand.tests;

import dev.chargehand.spi.CallInfo;
import dev.chargehand.spi.CallInfo.Kind;
import dev.chargehand.spi.Instrumentation;
import dev.chargehand.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Opens a span for every run and call, as a tracer does, and notes every misuse. */
final class Spans implements Instrumentation {

    private static final ThreadLocal<@Nullable Span> CURRENT = new ThreadLocal<>();

    private final List<Span> all = new CopyOnWriteArrayList<>();
    private final List<String> mistakes = new CopyOnWriteArrayList<>();
    private final AtomicInteger open = new AtomicInteger();

    /** Returns the span of the calling thread. */
    static String current() {
        Span current = CURRENT.get();
        return current == null ? "none" : current.label();
    }

    final class Span implements Work {

        private final CallInfo info;
        private final @Nullable Span parent;
        private final List<Outcome> ends = new CopyOnWriteArrayList<>();
        private final AtomicInteger opened = new AtomicInteger();

        private Span(CallInfo info, @Nullable Span parent) {
            this.info = info;
            this.parent = parent;
        }

        CallInfo info() {
            return info;
        }

        /** Returns the one end. */
        Outcome outcome() {
            if (ends.size() != 1) {
                throw new AssertionError(label() + " has ended " + ends.size() + " times: " + ends);
            }
            return ends.getFirst();
        }

        boolean hasEnded() {
            return !ends.isEmpty();
        }

        private String label() {
            return info.kind() + " " + info.name();
        }

        @Override
        public Scope open() {
            Thread owner = Thread.currentThread();
            Span before = CURRENT.get();
            CURRENT.set(this);
            open.incrementAndGet();
            opened.incrementAndGet();
            return () -> {
                if (Thread.currentThread() != owner || CURRENT.get() != this) {
                    mistakes.add(label() + " was closed where it was not current");
                }
                CURRENT.set(before);
                open.decrementAndGet();
            };
        }

        @Override
        public void end(Outcome outcome) {
            ends.add(outcome);
        }
    }

    @Override
    public Work begin(CallInfo info) {
        Span parent = CURRENT.get();
        if (parent != null && parent.hasEnded() && info.kind() != Kind.CLOSER) {
            mistakes.add(info + " was begun in " + parent.label() + ", which had ended");
        }
        Span span = new Span(info, parent);
        all.add(span);
        return span;
    }

    List<Span> of(Kind kind) {
        return all.stream().filter(span -> span.info.kind() == kind).toList();
    }

    /** Returns kind, name and outcome of every span that has begun, in that order. */
    List<String> outcomes(Kind... kinds) {
        return all.stream()
                .filter(span -> Set.of(kinds).contains(span.info.kind()))
                .map(span -> span.label() + ": " + span.outcome().kind())
                .toList();
    }

    /** Returns the spans of some kinds under their parents, in the order in which they have begun. */
    String tree(Kind... kinds) {
        List<String> lines = new ArrayList<>();
        append(null, "", Set.of(kinds), lines);
        return lines.stream().collect(Collectors.joining("\n", "", "\n"));
    }

    private void append(@Nullable Span parent, String indent, Set<Kind> kinds, List<String> lines) {
        for (Span span : all) {
            if (span.parent == parent && kinds.contains(span.info.kind())) {
                lines.add(indent + span.label());
                append(span, indent + "  ", kinds, lines);
            }
        }
    }

    /** Fails unless every span has ended once, each call was opened once at most, and none is current any more. */
    void assertClean() {
        Waiting.until("nothing is open", () -> open.get() == 0);
        all.forEach(Span::outcome);
        all.stream()
                .filter(span -> span.info.kind() != Kind.RUN && span.opened.get() > 1)
                .forEach(span -> mistakes.add(span.label() + " was opened " + span.opened + " times"));
        if (!mistakes.isEmpty() || CURRENT.get() != null) {
            throw new AssertionError("Current here: " + current() + "; " + mistakes);
        }
    }
}
