package dev.chargehand.server.internal.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.json.Json;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Held;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.RequestHeaders;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.route.SignedIn;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a server that is stopped does to its streams. An interrupt during a write closes the socket without a last event. */
class StreamsTest {

    private final AgentRuntime runtime = AgentRuntime.builder()
            .store(InMemoryStore.keepingEndedRuns())
            .providers()
            .build();
    private final ServerState state =
            new ServerState(runtime, Map.of(), Map.of(), ServerState.CallerChoices.NONE, options -> {});

    private static Call call() {
        Route route = new Route("GET", "/", Route.Access.OPEN, "Read.", any -> Reply.empty(204));
        Principal ann = new Principal("ann", Store.LOCAL, Optional.empty(), Set.of());
        return new Call(
                route, SignedIn.of(ann), Map.of(), Map.of(), RequestHeaders.NONE, Json.of(Map.of()), new Held());
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    /** Open a stream, which is that of the thread which executes the test. */
    private Streams.Open opened() {
        return state.streams().open(call(), "run-1");
    }

    @Test
    void aStreamThatHasNotWrittenYetIsNotInterrupted() {
        try (Streams.Open stream = opened()) {
            stop(stream);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @Test
    void aStreamThatWritesIsNotInterrupted() {
        try (Streams.Open stream = opened()) {
            stream.startWrite();
            stop(stream);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @Test
    void aStreamThatWaitsIsInterruptedAndThenWrites() {
        try (Streams.Open stream = opened()) {
            stream.startWrite();
            stream.endWrite();
            stop(stream);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            stream.startWrite();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    /** Stop the server, as another thread does, which then waits for the stream. */
    private void stop(Streams.Open stream) {
        Thread stopping = Thread.ofVirtual().start(state::drain);
        while (!stream.isEnded()) {
            Thread.onSpinWait();
        }
        assertThat(stopping.isAlive()).isTrue();
    }
}
