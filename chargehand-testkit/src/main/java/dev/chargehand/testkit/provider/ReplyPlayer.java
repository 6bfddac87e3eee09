package dev.chargehand.testkit.provider;

import dev.chargehand.testkit.provider.reply.Action;
import dev.chargehand.testkit.provider.reply.Finish;
import dev.chargehand.testkit.provider.reply.Framing;
import dev.chargehand.testkit.provider.reply.WirePlan;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/** Plays one reply on one connection, on a thread of its own that is interrupted when the connection ends. */
final class ReplyPlayer {
    private final OutputStream socket;
    private final Exchange exchange;
    private final Runnable served;

    /** @param served is called before the last write of a reply that becomes complete */
    ReplyPlayer(OutputStream socket, Exchange exchange, Runnable served) {
        this.socket = socket;
        this.exchange = exchange;
        this.served = served;
    }

    /** Return what is to be done with the connection; throws when it ended before the reply did. */
    Finish play(WirePlan plan) throws IOException, InterruptedException {
        WireOut out = new WireOut(socket, plan.pacing().writeBytes(), exchange);
        BodyWriter body = new BodyWriter(out, plan.framing(), plan.pacing(), this::pause);
        pause(plan.pacing().delay());
        if (plan.framing() != Framing.NONE) {
            out.write(plan.head().array, 0, plan.head().array.length);
        }
        for (Action action : plan.actions()) {
            play(action, body, out);
        }
        return switch (plan.finish()) {
            case KEEP_OPEN -> {
                body.end(served);
                boolean bounded = plan.framing() == Framing.CHUNKED || plan.framing() == Framing.LENGTH;
                yield bounded ? Finish.KEEP_OPEN : Finish.CLOSE;
            }
            case CLOSE -> {
                body.end(served);
                yield Finish.CLOSE;
            }
            case HANG_UP, RESET -> {
                body.settle();
                yield plan.finish();
            }
            case STALL -> {
                body.settle();
                exchange.connection().await();
                throw over();
            }
        };
    }

    private void play(Action action, BodyWriter body, WireOut out) throws IOException, InterruptedException {
        switch (action) {
            case Action.Part part -> {
                for (int i = 0; i < part.times(); i++) {
                    body.part(part.content().array);
                }
            }
            case Action.Raw raw -> {
                body.settle();
                out.write(raw.content().array, 0, raw.content().array.length);
            }
            case Action.Pause pause -> {
                body.settle();
                pause(pause.duration());
            }
            case Action.Hold hold -> {
                body.settle();
                hold.until().await();
            }
            case Action.Signal signal -> {
                body.settle();
                signal.reached().countDown();
            }
        }
    }

    private void pause(Duration duration) throws IOException, InterruptedException {
        if (duration.isPositive() && exchange.connection().await(duration)) {
            throw over();
        }
    }

    private static IOException over() {
        return new IOException("the connection is over");
    }
}
