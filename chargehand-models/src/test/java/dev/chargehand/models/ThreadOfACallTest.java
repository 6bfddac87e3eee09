package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.spi.Instrumentation;
import dev.chargehand.testkit.provider.Exchange;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.Side;
import dev.chargehand.testkit.provider.reply.Reply;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call is made on the thread of its run where closing its connection is enough to end it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThreadOfACallTest {

    @AutoClose
    private final LoopbackProvider provider = LoopbackProvider.start();

    private final AtomicReference<Thread> begun = new AtomicReference<>();
    private final AtomicReference<Thread> called = new AtomicReference<>();

    /** Notes the thread of the run, which begins the call of a model, and that of the call. */
    private final Instrumentation threads =
            call -> call.kind() == CallInfo.Kind.MODEL ? noted() : Instrumentation.Work.NONE;

    private Instrumentation.Work noted() {
        begun.set(Thread.currentThread());
        return new Instrumentation.Work() {
            @Override
            public Instrumentation.Scope open() {
                called.set(Thread.currentThread());
                return Instrumentation.Scope.NONE;
            }
        };
    }

    private AgentRuntime runtime(OpenAiModel model) {
        return AgentRuntime.builder()
                .addAgent(Agent.builder("solo").model(model).build())
                .addInstrumentation(threads)
                .build();
    }

    private OpenAiModel.Builder model() {
        return OpenAiModel.builder().baseUrl(provider.baseUrl()).model("m");
    }

    @Test
    void aKeyThatNeverChangesNeedsNoThread() {
        try (OpenAiModel model = model().apiKey("sk-1").build();
                AgentRuntime runtime = runtime(model)) {
            provider.enqueue(Reply.text("Hi"));
            assertThat(runtime.agent("solo").generate("Hello").text()).isEqualTo("Hi");
            assertThat(called.get()).isSameAs(begun.get());
        }
    }

    @Test
    void aKeyThatTheApplicationGivesIsComputedOnAThreadOfItsOwn() {
        try (OpenAiModel model = model().apiKey(() -> "sk-1").build();
                AgentRuntime runtime = runtime(model)) {
            provider.enqueue(Reply.text("Hi"));
            assertThat(runtime.agent("solo").generate("Hello").text()).isEqualTo("Hi");
            assertThat(called.get()).isNotSameAs(begun.get());
        }
    }

    @Test
    void aCallThatFallsSilentEndsInTimeAndClosesItsConnection() {
        try (OpenAiModel model = model().apiKey("sk-1").build();
                AgentRuntime runtime = runtime(model)) {
            provider.enqueue(Reply.sse().text("Hal").stall());
            RunFailedException failed = catchThrowableOfType(RunFailedException.class, () -> runtime.agent("solo")
                    .generate("Hello", o -> o.retries(0).timeLimit(TimeLimit.IDLE, Duration.ofMillis(50))));
            assertThat(failed.result().text()).isEqualTo("Hal");
            assertThat(failed.result().stopReason())
                    .isInstanceOfSatisfying(StopReason.Failed.class, why -> assertThat(why.error())
                            .isEqualTo("model-idle"));
            Exchange exchange = provider.awaitRequests(1, Loopback.PATIENCE).getFirst();
            assertThat(provider.awaitClosed(exchange, Loopback.PATIENCE)).isEqualTo(Side.CLIENT);
        }
    }

    @Test
    void aCallThatIsCancelledReturnsAndClosesItsConnection() {
        try (OpenAiModel model = model().apiKey("sk-1").build();
                AgentRuntime runtime = runtime(model)) {
            provider.enqueue(Reply.silence());
            RunHandle run = runtime.agent("solo").start("Hello");
            Exchange exchange = provider.awaitRequests(1, Loopback.PATIENCE).getFirst();
            run.cancel();
            assertThat(run.result().status()).isEqualTo(RunStatus.ABORTED);
            assertThat(provider.awaitClosed(exchange, Loopback.PATIENCE)).isEqualTo(Side.CLIENT);
        }
    }

    @Test
    void aNameThatIsNeverResolvedKeepsNoRunFromEnding() throws InterruptedException {
        try (OpenAiModel model = OpenAiModel.builder()
                        .baseUrl("http://" + SlowNames.HOST + "/v1")
                        .model("m")
                        .build();
                AgentRuntime runtime = runtime(model)) {
            RunHandle run = runtime.agent("solo").start("Hello");
            SlowNames.ASKED.await();
            run.cancel();
            assertThat(run.result().status()).isEqualTo(RunStatus.ABORTED);
            assertThat(called.get()).isSameAs(begun.get());
        }
    }
}
