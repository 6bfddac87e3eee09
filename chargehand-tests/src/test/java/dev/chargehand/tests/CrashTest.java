package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.InputStepProcessor;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A run whose process is gone between any two of its facts, and that is resumed, ends as the undisturbed one; no hook
 * is asked again whose decision was stored.
 *
 * <p>The models are functions of the conversation.
 */
class CrashTest {

    /** What hooks were asked, as {@code hook subject}; what they say is a function of the subject. */
    private static final class Log {
        private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();

        void add(String hook, Object subject) {
            asked.add(hook + " " + subject);
        }
    }

    enum Scenario {
        PARALLEL_DELEGATIONS_WITH_ALL_HOOKS {
            @Override
            void options(RunOptions.Builder o, Log log) {
                o.onDelegationStart(d -> {
                            log.add("start", d.callId());
                            return DelegationDecision.proceed()
                                    .withPrompt(d.prompt() + "!")
                                    .withInstructions("Be brief.");
                        })
                        .messageFilter(f -> {
                            log.add("filter", f.callId());
                            return List.of();
                        })
                        .onDelegationComplete(d -> {
                            log.add("complete", d.callId());
                            return d.accept().withFeedback("Good: " + d.key());
                        })
                        .onIterationComplete(it -> {
                            log.add("iteration", it.iteration());
                            return it.isFinal() && it.iteration() == 2
                                    ? IterationDecision.proceedWith("Once more.")
                                    : IterationDecision.proceed();
                        })
                        .completion(Completion.all(Scorer.of("third", context -> {
                            log.add("scorer", context.step());
                            return context.step() >= 4 ? Score.pass() : Score.fail("Too early.");
                        })));
            }
        },
        A_REJECTED_DELEGATION_BESIDE_ANOTHER {
            @Override
            void options(RunOptions.Builder o, Log log) {
                o.onDelegationStart(d -> {
                    log.add("start", d.callId());
                    return d.key().equals("writer")
                            ? DelegationDecision.reject("Not now.")
                            : DelegationDecision.proceed();
                });
            }
        },
        A_BAIL_AMONG_SIBLINGS {
            @Override
            void options(RunOptions.Builder o, Log log) {
                o.onDelegationComplete(d -> {
                            log.add("complete", d.callId());
                            return d.key().equals("researcher") ? d.bail().withFeedback("Taken.") : d.accept();
                        })
                        .onIterationComplete(it -> {
                            log.add("iteration", it.iteration());
                            return IterationDecision.proceedWith("Never used.");
                        });
            }
        },
        ONE_MORE_ANSWER_AFTER_A_STOP {
            @Override
            void options(RunOptions.Builder o, Log log) {
                o.onIterationComplete(it -> {
                    log.add("iteration", it.iteration());
                    return IterationDecision.stopWith("Wrap up.");
                });
            }
        },
        A_GUARDED_TOOL_CALL {
            @Override
            void options(RunOptions.Builder o, Log log) {
                o.beforeToolCall(call -> {
                    log.add("before", call.callId());
                    return call.toolName().equals("agent-writer")
                            ? ToolCallDecision.deny("No writing.")
                            : ToolCallDecision.allow();
                });
            }
        },
        PROCESSORS_AT_EVERY_PLACE {
            @Override
            void options(RunOptions.Builder o, Log log) {
                o.inputProcessors(
                                InputProcessor.of("in", (context, messages) -> {
                                    log.add("input", "");
                                    return Processed.rewritten(List.of(Message.user("Go on")));
                                }),
                                InputStepProcessor.of("before", (context, messages) -> {
                                    log.add("model", context.step());
                                    return Processed.unchanged();
                                }))
                        .outputProcessors(
                                OutputStreamProcessor.of(
                                        "stream",
                                        context -> delta -> Processed.rewritten(delta.replace("Done", "Over"))),
                                OutputStepProcessor.of("step", (context, answer) -> {
                                    log.add("model", context.step() + " answered");
                                    return Processed.unchanged();
                                }),
                                OutputResultProcessor.of("result", (context, text) -> {
                                    log.add("iteration", context.step());
                                    return context.step() == 2
                                            ? Processed.<String>abort("Once more.")
                                                    .withRetry()
                                            : Processed.rewritten(text + "!");
                                }));
            }
        },
        A_TRIPWIRE_AFTER_A_REFUSED_ANSWER {
            @Override
            void options(RunOptions.Builder o, Log log) {
                o.outputProcessors(OutputStepProcessor.of(
                        "step",
                        (context, answer) -> answer.toolCalls().isEmpty()
                                ? Processed.<ModelResponse>abort("Not so.").withRetry()
                                : Processed.unchanged()));
            }
        },
        REFERENCES_AND_THREE_LEVELS {
            @Override
            void options(RunOptions.Builder o, Log log) {
                o.enableResultReferences(true).includeSubAgentToolResultsInModelContext(true);
            }
        };

        abstract void options(RunOptions.Builder o, Log log);
    }

    /** What is compared of a run: everything but ids and times. */
    private record Ending(String text, String stop, List<String> messages, Usage usage, List<String> thread) {}

    @ParameterizedTest
    @EnumSource(Scenario.class)
    void aRunThatIsInterruptedBetweenAnyTwoFactsEndsAsTheUndisturbedOne(Scenario scenario) {
        new Crashing<Ending>() {
            @Override
            public TestRuntime runtime(Store store) {
                return CrashTest.runtime(store);
            }

            @Override
            public RunResult begin(TestRuntime test) {
                return test.agent("supervisor").generate("Go", options(scenario, new Log()));
            }

            @Override
            public RunResult resume(TestRuntime test, RunId run) {
                Set<String> decided = decided(test.store());
                Log log = new Log();
                RunResult result =
                        test.runtime().resume(run, options(scenario, log)).result();
                assertThat(log.asked).doesNotHaveDuplicates().noneMatch(decided::contains);
                return result;
            }

            @Override
            public Ending ending(TestRuntime test, Supplier<RunResult> run) {
                return CrashTest.ending(run.get(), test);
            }
        }.assertEndsAsTheUndisturbedOne();
    }

    private static Consumer<RunOptions.Builder> options(Scenario scenario, Log log) {
        return o -> {
            o.thread("t").resource("u").maxSteps(6);
            scenario.options(o, log);
        };
    }

    private static TestRuntime runtime(Store store) {
        return TestRuntime.builder(script())
                .store(store)
                .ids(IdSource.secure())
                .unrecorded()
                .agents(crew())
                .build();
    }

    private static Agent crew() {
        Agent clerk = Crew.member("clerk", Crew.LOOK);
        Agent researcher = Crew.member("researcher", agent -> agent.agents(clerk));
        return Crew.agent(
                "supervisor", agent -> agent.instructions("You supervise.").agents(researcher, Crew.WRITER));
    }

    private static Script script() {
        return Scripts.of(
                Turns.of("supervisor", Turn.answers(CrashTest::supervise).forever()),
                Turns.of(
                        "researcher",
                        Turn.answers(request -> hasResults(request)
                                        ? Steps.said("Facts.")
                                        : Steps.calling("agent-clerk", "{\"prompt\":\"Look\"}"))
                                .forever()),
                Turns.of("writer", Turn.answers(request -> Steps.said("Prose.")).forever()),
                Turns.of(
                        "clerk",
                        Turn.answers(request -> hasResults(request)
                                        ? Steps.said("Seen.")
                                        : Steps.calling("look", "{\"q\":\"x\"}"))
                                .forever()));
    }

    private static ModelResponse supervise(ModelRequest request) {
        if (!hasResults(request)) {
            ModelResponse first = Steps.calling("agent-researcher", "{\"prompt\":\"Find\"}");
            ModelResponse second = Steps.calling("agent-writer", "{\"prompt\":\"Write\"}");
            return new ModelResponse(
                    "I ask.",
                    "",
                    List.of(first.toolCalls().getFirst(), second.toolCalls().getFirst()),
                    FinishReason.TOOL_CALLS,
                    Usage.of(10, 5));
        }
        return Steps.said("Done after " + request.messages().size() + " messages.");
    }

    private static boolean hasResults(ModelRequest request) {
        return request.messages().stream().anyMatch(message -> message.role() == Role.TOOL);
    }

    private static Ending ending(RunResult result, TestRuntime test) {
        return new Ending(
                result.text(),
                result.stopReason().code(),
                result.messages().stream().map(Wire::line).toList(),
                result.usage(),
                test.thread("t", "u").stream().map(CrashTest::stored).toList());
    }

    private static String stored(Message message) {
        return (message.internal() ? "internal " : "") + Wire.line(message);
    }

    /** Which hooks' decisions are on record. */
    private static Set<String> decided(Store store) {
        Set<String> decided = new TreeSet<>();
        for (RunRecord run : store.list(RunFilter.ROOTS)) {
            store.read(run.runId(), 0).forEach(fact -> {
                Json json = Json.parse(fact.text());
                String call = json.at("/callId").flatMap(Json::string).orElse("");
                String step = json.at("/step").map(Json::text).orElse("");
                switch (fact.type()) {
                    case "started" -> decided.add("input ");
                    case "answered" -> decided.addAll(List.of("model " + step, "model " + step + " answered"));
                    case "call-opened" -> decided.addAll(List.of("start " + call, "filter " + call, "before " + call));
                    case "call-closed" ->
                        decided.addAll(List.of("start " + call, "before " + call, "complete " + call));
                    case "step-closed" -> decided.addAll(List.of("iteration " + step, "scorer " + step));
                    default -> {}
                }
            });
        }
        return decided;
    }
}
