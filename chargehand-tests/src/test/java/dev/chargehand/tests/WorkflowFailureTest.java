package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.HookException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Outcome;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepHandler;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Workflows whose code fails, and how they end. */
class WorkflowFailureTest {

    record In(int number) {}

    record Out(int number) {}

    private static final StepHandler<In, Out> WORKS = (in, context) -> new Out(in.number());

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final AgentRuntime runtime = AgentRuntime.builder().store(store).build();
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        runtime.close();
    }

    private static Step<In, Out> step(String id, StepHandler<In, Out> handler) {
        return Step.of(id, In.class, Out.class, handler);
    }

    private static StepHandler<In, Out> failing(String message) {
        return (in, context) -> {
            throw new IllegalStateException(message);
        };
    }

    private static Workflow<In, Out> only(Step<In, Out> step) {
        return Workflow.from("flow", In.class).then(step).build(Out.class);
    }

    private RunFailedException failure(Workflow<In, ?> workflow) {
        return catchThrowableOfType(RunFailedException.class, () -> runtime.run(workflow, new In(1), options -> {}));
    }

    @Test
    void aStepThatThrowsFailsTheRunAfterItsSiblings() {
        CountDownLatch failed = new CountDownLatch(1);
        Workflow<In, ?> workflow = Workflow.from("flow", In.class)
                .parallel(
                        step("bad", (in, context) -> {
                            failed.countDown();
                            throw new IllegalStateException("no paper");
                        }),
                        step("good", (in, context) -> {
                            failed.await();
                            done.add("good");
                            return new Out(2);
                        }))
                .map("never", Out.class, (outputs, context) -> {
                    done.add("never");
                    return new Out(3);
                })
                .build(Out.class);

        RunFailedException e = failure(workflow);

        assertThat(e.code()).isEqualTo("step-failed");
        assertThat(e.result().stopReason().explanation())
                .contains("Step 'bad' failed")
                .contains("no paper");
        assertThat(e.result().workflowSteps())
                .extracting(StepOutcome::path, outcome -> outcome.error().isPresent())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("bad", true),
                        org.assertj.core.groups.Tuple.tuple("good", false));
        assertThat(done).containsExactly("good");
    }

    @Test
    void anAttemptThatFailedIsFollowedByAnotherWithTheSameKey() {
        AtomicInteger attempts = new AtomicInteger();
        Step<In, Out> flaky = step("flaky", (in, context) -> {
                    done.add(context.attempt() + " " + context.idempotencyKey());
                    if (attempts.incrementAndGet() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                    return new Out(attempts.get());
                })
                .retries(2, Backoff.fixed(Duration.ofMillis(1)));

        WorkflowResult<Out> result = runtime.run(only(flaky), new In(1), options -> {});

        assertThat(result.output()).isEqualTo(new Out(3));
        assertThat(result.steps()).singleElement().satisfies(step -> {
            assertThat(step.attempts()).isEqualTo(3);
            assertThat(step.status()).isEqualTo(StepOutcome.Status.COMPLETED);
        });
        assertThat(done.stream().map(each -> each.charAt(0))).containsExactly('1', '2', '3');
        assertThat(done.stream().map(each -> each.substring(1)).distinct()).hasSize(1);
    }

    @Test
    void retriesEnd() {
        Step<In, Out> bad = step("bad", failing("never")).retries(2, Backoff.fixed(Duration.ofMillis(1)));
        assertThat(failure(only(bad)).result().stopReason().explanation())
                .contains("Step 'bad' failed after 3 attempts");
    }

    @Test
    void anOutputThatBreaksItsSchemaIsNotMadeAgain() {
        Step<In, Out> wrong = step("wrong", (in, context) -> {
                    done.add("called");
                    return null;
                })
                .retries(5, Backoff.fixed(Duration.ofMillis(1)));
        assertThat(failure(only(wrong)).result().stopReason().explanation())
                .contains("The output of step 'wrong' breaks its schema");
        assertThat(done).hasSize(1);
    }

    @Test
    void anInputThatBreaksItsSchemaDoesNotReachItsStep() {
        Step<Json, Json> any = Step.of(
                "any",
                JsonSchema.of(Json.parse("{}")),
                JsonSchema.of(Json.parse("{}")),
                (in, context) -> Json.parse("{\"number\":\"many\"}"));
        Step<Json, Json> strict =
                Step.of("strict", JsonSchema.of(In.class), JsonSchema.of(Json.parse("{}")), (in, context) -> {
                    done.add("strict");
                    return in;
                });
        Workflow<In, Json> workflow = Workflow.from("flow", In.class)
                .map("open", Json.class, (in, context) -> Json.of(in))
                .then(any)
                .then(strict)
                .build(Json.class);
        assertThat(failure(workflow).result().stopReason().explanation())
                .contains("The input of step 'strict' breaks its schema");
        assertThat(done).isEmpty();
    }

    @Test
    void aFailureIsTurnedIntoAValue() {
        Step<In, Out> rescued = step("rescued", failing("lost"))
                .fallback((in, error, context) -> new Out(error.contains("lost") ? 40 + in.number() : 0));
        assertThat(runtime.run(only(rescued), new In(2), options -> {}).output())
                .isEqualTo(new Out(42));

        Workflow<In, Optional<Out>> optional = Workflow.from("optional", In.class)
                .then(step("gone", failing("lost")).optional())
                .build(new JsonType<>() {});
        assertThat(runtime.run(optional, new In(2), options -> {}).output()).isEmpty();

        Step<In, Out> worse = step("worse", failing("lost")).fallback((in, error, context) -> {
            throw new IllegalStateException("and broken");
        });
        assertThat(failure(only(worse)).result().stopReason().explanation())
                .contains("lost")
                .contains("Its fallback failed")
                .contains("and broken");
    }

    @Test
    void outcomesOfItemsAreCollected() {
        Workflow<In, List<Outcome<Out>>> workflow = Workflow.from("flow", In.class)
                .foreach(
                        "each",
                        (in, context) -> List.of(new In(1), new In(2), new In(3)),
                        step("half", (in, context) -> {
                            if (in.number() == 2) {
                                throw new IllegalStateException("even");
                            }
                            return new Out(in.number());
                        }),
                        Each.concurrency(3).collect())
                .build(new JsonType<>() {});

        List<Outcome<Out>> outcomes =
                runtime.run(workflow, new In(1), options -> {}).output();

        assertThat(outcomes.get(0)).isEqualTo(new Outcome.Success<>(new Out(1)));
        assertThat(outcomes.get(1)).isInstanceOfSatisfying(Outcome.Failure.class, failed -> assertThat(failed.error())
                .contains("even"));
        assertThat(outcomes.get(2)).isEqualTo(new Outcome.Success<>(new Out(3)));
    }

    @Test
    void aConditionThatThrowsFailsTheRun() {
        Workflow<In, ?> workflow = Workflow.from("flow", In.class)
                .branch(Branch.<In, Out>when(
                                "odd",
                                (in, context) -> {
                                    throw new IllegalStateException("cannot tell");
                                },
                                step("yes", WORKS))
                        .otherwise(step("no", WORKS)))
                .build(Out.class);
        RunFailedException e = failure(workflow);
        assertThat(e.code()).isEqualTo("hook-failed");
        assertThat(e.getCause()).isInstanceOf(HookException.class);
        assertThat(e.result().stopReason().explanation())
                .contains("entry 'branch-1' (branch) of workflow 'flow'")
                .contains("cannot tell");
        assertThat(e.result().workflowSteps()).isEmpty();
    }

    @Test
    void aMapHasNoEffects() {
        Workflow<In, ?> workflow = Workflow.from("flow", In.class)
                .map("quiet", Out.class, (in, context) -> {
                    context.updateState(Map.of("x", 1));
                    return new Out(1);
                })
                .build(Out.class);
        assertThat(failure(workflow).result().stopReason().explanation()).contains("is for the handler of a step");
    }

    @Test
    void aWorkflowOfMapsGivesTheirResult() {
        Workflow<In, Out> workflow = Workflow.from("flow", In.class)
                .map("a", Out.class, (in, context) -> new Out(in.number() + 1))
                .map("b", Out.class, (out, context) -> new Out(out.number() * 10))
                .build(Out.class);
        assertThat(runtime.run(workflow, new In(1), options -> {}).output()).isEqualTo(new Out(20));
    }

    @Test
    void aBailEndsTheRunAsCompleted() {
        Workflow<In, Out> workflow = Workflow.from("flow", In.class)
                .then(step("early", (in, context) -> context.bail(new Out(7))))
                .map("never", In.class, (out, context) -> new In(out.number()))
                .then(step("late", WORKS))
                .build(Out.class);
        WorkflowResult<Out> result = runtime.run(workflow, new In(1), options -> {});
        assertThat(result.output()).isEqualTo(new Out(7));
        assertThat(result.stopReason())
                .isInstanceOfSatisfying(StopReason.Bailed.class, bailed -> assertThat(bailed.agentId())
                        .isEqualTo("early"));
        assertThat(result.steps()).hasSize(1);

        Workflow<In, Out> wrong = Workflow.from("wrong", In.class)
                .then(step("early", (in, context) -> context.bail("no number")))
                .build(Out.class);
        assertThat(failure(wrong).result().stopReason().explanation())
                .contains("Step 'early' bailed with an output that breaks the schema of workflow 'wrong'");
    }

    @Test
    void aFallbackMayBail() {
        Workflow<In, Out> workflow = Workflow.from("flow", In.class)
                .then(step("gone", failing("lost")).fallback((in, error, context) -> context.bail(new Out(9))))
                .map("never", Out.class, (out, context) -> new Out(0))
                .build(Out.class);
        WorkflowResult<Out> result = runtime.run(workflow, new In(1), options -> {});
        assertThat(result.output()).isEqualTo(new Out(9));
        assertThat(result.stopReason()).isInstanceOf(StopReason.Bailed.class);
    }

    @Test
    void onlyAStepThatIsCalledOnceHasAnOutputLater() {
        Step<In, Out> each = step("each", WORKS);
        Step<In, Out> once = step("once", WORKS);
        Workflow<In, String> workflow = Workflow.from("flow", In.class)
                .foreach((in, context) -> List.of(in, new In(2)), each)
                .map("back", In.class, (outs, context) -> new In(outs.size()))
                .then(once)
                .map("told", String.class, (out, context) -> context.output(each) + " " + context.output(once))
                .build(String.class);
        assertThat(runtime.run(workflow, new In(1), options -> {}).output())
                .isEqualTo(Optional.empty() + " " + Optional.of(new Out(2)));
    }

    @Test
    void loopsAndItemsAreBounded() {
        Step<In, In> more = Step.of("more", In.class, In.class, (in, context) -> new In(in.number() + 1));
        Workflow<In, In> endless = Workflow.from("endless", In.class)
                .doWhile(more, (in, context) -> true, Repeat.atMost(4))
                .build(In.class);
        WorkflowResult<In> result = runtime.run(endless, new In(0), options -> {});
        assertThat(result.status()).isEqualTo(RunStatus.INCOMPLETE);
        assertThat(result.stopReason()).isEqualTo(new StopReason.LimitReached("loopIterations"));
        assertThat(result.steps()).hasSize(4);
        assertThatThrownBy(result::output)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("has no output")
                .hasMessageContaining("loopIterations");

        assertThat(runtime.run(endless, new In(0), options -> options.limit(Limit.LOOP_ITERATIONS, 2))
                        .steps())
                .hasSize(2);

        Workflow<In, List<Out>> wide = Workflow.from("wide", In.class)
                .foreach(
                        (in, context) -> IntStream.range(0, in.number())
                                .mapToObj(In::new)
                                .toList(),
                        step("each", WORKS))
                .build(new JsonType<>() {});
        assertThat(runtime.run(wide, new In(3), options -> options.limit(Limit.FOREACH_ITEMS, 2))
                        .stopReason())
                .isEqualTo(new StopReason.LimitReached("foreachItems"));
        assertThat(runtime.run(wide, new In(3), options -> options.limit(Limit.WORKFLOW_CALLS, 2))
                        .stopReason())
                .isEqualTo(new StopReason.LimitReached("workflowCalls"));
        assertThat(runtime.run(wide, new In(0), options -> {}).output()).isEmpty();
        assertThat(runtime.run(endless, new In(0), options -> options.limit(Limit.WORKFLOW_CALLS, 3))
                        .stopReason())
                .isEqualTo(new StopReason.LimitReached("workflowCalls"));
    }

    @Test
    void whatCannotStartIsRejectedBeforeItIsStored() {
        Workflow<In, Out> workflow = only(step("works", WORKS));
        assertThatThrownBy(() -> runtime.run(workflow, null, options -> {}))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("Workflow 'flow': its input breaks its schema");
        assertThatThrownBy(() -> runtime.run(workflow, new In(1), options -> options.maxSteps(3)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("option 'maxSteps' is for agents");
        assertThatThrownBy(() -> runtime.run(workflow, new In(1), options -> options.thread("t")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("option 'thread' is for agents");
        assertThat(store.list(RunFilter.ALL)).isEmpty();
    }

    @Test
    void aStepThatHangsEndsByItsTime() {
        CountDownLatch never = new CountDownLatch(1);
        Step<In, Out> slow = step("slow", (in, context) -> {
                    never.await();
                    return new Out(1);
                })
                .timeout(Duration.ofMillis(20));
        assertThat(failure(only(slow)).result().stopReason().explanation()).contains("Step 'slow' took longer than");
    }

    @Test
    void aRunIsCancelledWhileAStepIsExecuted() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Step<In, Out> waits = step("waits", (in, context) -> {
            begun.countDown();
            new CountDownLatch(1).await();
            return new Out(1);
        });
        RunHandle run = runtime.start(only(waits), new In(1), options -> {});
        begun.await();
        assertThat(run.cancel()).isTrue();
        RunResult result = run.result();
        assertThat(result.status()).isEqualTo(RunStatus.ABORTED);
        assertThat(result.workflowSteps()).singleElement().satisfies(step -> assertThat(step.error())
                .hasValueSatisfying(error -> assertThat(error).contains("outcome is unknown")));
    }
}
