package dev.chargehand.cli.shell;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns a signal that asks the process to stop into the end of a run here: Ctrl-C cancels it, a request to terminate
 * and a closed terminal release it, so that another command can continue it.
 *
 * <p>The first signal while a run is live does so; the process then reports the end of the run, and exits as usual. A
 * second one, or one while nothing runs, ends the process at once; at a {@link #asks question} the command first says
 * how it can be answered later. A shutdown hook could do the first only: the JVM ignores signals while it shuts down. A
 * command that continues after a run {@link #stay stays}: Ctrl-C ends the run only, and the others end the command in
 * order.
 */
public final class Signals {

    private final AtomicReference<@Nullable Live> live = new AtomicReference<>();
    private final AtomicReference<@Nullable Runnable> leave = new AtomicReference<>();
    private final AtomicReference<@Nullable Runnable> unanswered = new AtomicReference<>();
    private final AtomicBoolean asked = new AtomicBoolean();
    private final AtomicBoolean ending = new AtomicBoolean();

    /** What is live: how it is cancelled, and how it is released. */
    private record Live(Runnable cancel, Runnable release) {}

    private final IntConsumer halt;

    private Signals(IntConsumer halt) {
        this.halt = halt;
    }

    /** Create one without signals. */
    public static Signals none() {
        return none(Runtime.getRuntime()::halt);
    }

    /** Create one without signals; {@code halt} ends the process at once, with an exit code. */
    public static Signals none(IntConsumer halt) {
        return new Signals(halt);
    }

    /** Make the process's own. Where signals cannot be handled, they end the process as the JVM does by itself. */
    static Signals install() {
        Signals signals = none();
        signals.handle("INT", signals::interrupt);
        signals.handle("TERM", signals::end);
        signals.handle("HUP", signals::end);
        return signals;
    }

    private void handle(String name, Runnable received) {
        try {
            register(name, received);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // no such signal here, or the JVM was started with -Xrs
        }
    }

    /** By reflection, because the compiler warns of the class, which has no successor. */
    private void register(String name, Runnable received) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object ours = Proxy.newProxyInstance(
                Signals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                    if (method.getName().equals("handle")) {
                        received.run();
                        return null;
                    }
                    return method.invoke(this, arguments);
                });
        signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
    }

    /** Defer a signal until its run is known. */
    public void hold() {
        asked.set(false);
        live.set(new Live(() -> {}, () -> {}));
    }

    /** Set the effect of a signal; it applies at once to a signal since {@link #hold}. */
    public void stops(Runnable cancel, Runnable release) {
        live.set(new Live(cancel, release));
        if (asked.get()) {
            (ending.get() ? release : cancel).run();
        }
    }

    /** Declare that no run is live: from now on a signal ends the process at once, unless the command stays. */
    public void release() {
        live.set(null);
    }

    /**
     * Declare that a signal no longer ends the process while no run is live.
     *
     * @param whenEnding the action if the process is asked to terminate; Ctrl-C does nothing
     */
    public void stay(Runnable whenEnding) {
        leave.set(whenEnding);
    }

    /**
     * Ask the user about a run that waits: until the answer, a signal ends the process at once, and leaves the run as it
     * is.
     *
     * @param left reports that, and how the question can be answered later
     * @param question returns the answer
     */
    public <T> T asks(Runnable left, Supplier<T> question) {
        unanswered.set(left);
        try {
            return question.get();
        } finally {
            unanswered.set(null);
        }
    }

    /** Return whether the last run was asked to stop. */
    public boolean wasAsked() {
        return asked.get();
    }

    /** Return whether the process was asked to terminate, and not only the run to stop. */
    public boolean isEnding() {
        return ending.get();
    }

    /** Do what Ctrl-C does. */
    public void interrupt() {
        received(Live::cancel, () -> {}, ExitCode.CANCELLED);
    }

    /** Do what a request to terminate does. */
    public void end() {
        ending.set(true);
        Runnable staying = leave.get();
        received(Live::release, staying == null ? () -> {} : staying, ExitCode.RELEASED);
    }

    private void received(Function<Live, Runnable> what, Runnable whenIdle, int code) {
        Live now = live.get();
        if (now == null ? leave.get() == null : asked.getAndSet(true)) {
            Runnable left = now == null ? unanswered.getAndSet(null) : null;
            try {
                if (left != null) {
                    left.run();
                }
            } finally {
                halt.accept(left != null && code == ExitCode.CANCELLED ? ExitCode.WAITING : code);
            }
        } else {
            (now == null ? whenIdle : what.apply(now)).run();
        }
    }
}
