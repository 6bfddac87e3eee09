package dev.chargehand.verify.sequences;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Until;
import dev.chargehand.memory.Scope;
import dev.chargehand.message.Message;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.tool.ClientTools;
import dev.chargehand.verify.sequences.crew.SequenceCrew;
import dev.chargehand.version.Version;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Starts runs of agents and of workflows, continues them, forks, cancels and deletes them. */
final class RunOperations {

    private static final RunFilter OPEN =
            RunFilter.ALL.statuses(RunStatus.PENDING, RunStatus.SUSPENDED, RunStatus.RUNNING);

    /** How often all runs that have not ended are continued: what one does may let another continue. */
    private static final int ROUNDS = 3;

    private final Turn turn;
    private final Choice choice;
    private final TenantRuntime tenant;

    RunOperations(Turn turn) {
        this.turn = turn;
        this.choice = turn.choice();
        this.tenant = turn.tenant();
    }

    Operation start() {
        String agent = choice.of(
                "leaf",
                "middle",
                "top",
                "top",
                "top",
                "profiler",
                "boss",
                "boss",
                "boss",
                "chief",
                "chief",
                "observed");
        List<Message> input = List.of(Message.user(choice.prompt(agent)));
        Consumer<RunOptions.Builder> options = options(agent, true);
        return new Operation("start " + agent, () -> result(tenant.start(tenant.agent(agent), input, options)));
    }

    Operation submit() {
        String agent = choice.of("leaf", "middle", "top", "boss");
        List<Message> input = List.of(Message.user(choice.prompt(agent)));
        Consumer<RunOptions.Builder> options = options(agent, choice.oneIn(2));
        return new Operation("submit " + agent, () -> handle(tenant.enqueue(tenant.agent(agent), input, options)));
    }

    Operation workflow() {
        long input = choice.below(40);
        Workflow<Long, Long> workflow = choice.of(turn.stage().crew().workflows());
        Consumer<RunOptions.Builder> options = workflowOptions();
        return switch (choice.below(4)) {
            case 0 -> new Operation("submit workflow", () -> handle(tenant.enqueue(workflow, input, options)));
            case 1 -> new Operation("run workflow", () -> tenant.run(workflow, input, options));
            default -> new Operation("start workflow", () -> result(tenant.start(workflow, input, options)));
        };
    }

    Operation resume() {
        int number = choice.below(Turn.ALL);
        boolean advance = choice.oneIn(3);
        return new Operation(advance ? "advance" : "resume", () -> {
            if (tenant.runs(OPEN.limit(1)).isEmpty()) {
                return "none";
            }
            RunRecord run = turn.run(number, OPEN);
            return advance
                    ? tenant.advance(run.runId(), Until.never())
                    : result(tenant.resume(run.runId(), options -> {}));
        });
    }

    /** Continue all, of both tenants, and then look for what has been left. */
    Operation recover() {
        AgentRuntime runtime = turn.runtime();
        return new Operation("recover", () -> {
            for (TenantRuntime each : List.of(runtime, runtime.forTenant(Sequence.OTHER_TENANT))) {
                for (int i = 0; i < ROUNDS; i++) {
                    continueAll(each);
                }
            }
            var recovery = runtime.recover();
            List<RunResult> results = new ArrayList<>(recovery.await());
            results.sort(Comparator.comparing(result -> result.runId().value()));
            return List.of(Shown.of(recovery), Shown.of(results));
        });
    }

    private static void continueAll(TenantRuntime tenant) {
        for (RunRecord run : tenant.runs(RunFilter.ROOTS.limit(Turn.ALL))) {
            if (!run.status().isEnded()) {
                Outcome.of(() -> tenant.resume(run.runId(), options -> {}).result());
            }
        }
    }

    Operation tell() {
        int number = choice.below(Turn.ALL);
        String text = choice.of(choice.words(), choice.words(), choice.prompt("leaf"), " ");
        int key = choice.below(4);
        return new Operation("tell", () -> {
            var run = turn.id(number, RunFilter.ALL);
            return run + " " + (key == 0 ? tenant.tell(run, text) : tenant.tell(run, text, "key" + key));
        });
    }

    Operation cancel() {
        int number = choice.below(Turn.ALL);
        boolean because = choice.oneIn(2);
        return new Operation("cancel", () -> {
            var run = turn.id(number, RunFilter.ALL);
            return run + " " + (because ? tenant.cancel(run, "because") : tenant.cancel(run));
        });
    }

    Operation fork() {
        int number = choice.below(Turn.ALL);
        int step = choice.below(4);
        int how = choice.below(7);
        String prompt = choice.prompt("leaf");
        return new Operation("fork", () -> {
            var run = turn.id(number, RunFilter.ROOTS);
            boolean isWorkflow = tenant.findRun(run)
                    .filter(record -> SequenceCrew.AGENTS.stream().noneMatch(record.agentId()::equals))
                    .isPresent();
            if (isWorkflow) {
                return result(tenant.fork(run, fork -> {
                    switch (how % 4) {
                        case 0 -> fork.before("first");
                        case 1 -> fork.before("last");
                        case 2 -> fork.before("which").output("first", 12L);
                        default -> fork.before("item");
                    }
                }));
            }
            return result(tenant.fork(run, number % 4 == 0 ? step : step % 2, fork -> {
                fork.options(options -> options.busyThread(BusyThreadPolicy.REJECT));
                switch (how) {
                    case 0 -> fork.input(prompt);
                    case 1 -> fork.addMessage(prompt);
                    case 2 -> fork.options(options -> options.thread("f" + step));
                    case 3 -> fork.options(options -> options.idempotencyKey("forked"));
                    default -> {}
                }
            }));
        });
    }

    /** Read a run that has ended or waits. */
    Operation read() {
        int number = choice.below(Turn.ALL);
        return new Operation("read", () -> {
            var run = turn.id(number, RunFilter.ROOTS);
            boolean isPending = tenant.findRun(run)
                    .filter(record -> record.status() != RunStatus.PENDING)
                    .isEmpty();
            return isPending ? "pending" : result(tenant.handle(run));
        });
    }

    Operation delete() {
        int number = choice.below(Turn.ALL);
        return new Operation("delete", () -> {
            var run = turn.id(number, RunFilter.ROOTS);
            return run + " " + tenant.handle(run).delete();
        });
    }

    Operation prune() {
        Duration kept = choice.of(Duration.ofMinutes(5), Duration.ofHours(1), Duration.ofDays(2));
        return new Operation("prune", () -> turn.runtime().operator().prune(kept));
    }

    Operation wake() {
        int number = choice.below(Turn.ALL);
        String path = choice.of("nap", "which.nap", "which.naps.nap", "naps.nap", "till", "first");
        return new Operation("wake", () -> {
            var run = turn.id(number, RunFilter.ROOTS);
            return result(tenant.wake(run, path)); // so that nothing continues while the next operation is made
        });
    }

    Operation findStarted() {
        String name = "k" + choice.below(4);
        Consumer<RunOptions.Builder> key = options -> options.idempotencyKey(name);
        return new Operation(
                "find started",
                () -> Shown.of(tenant.findStarted(tenant.agent("top"), key))
                        + Shown.of(tenant.findStarted(turn.stage().crew().count(), key)));
    }

    private static String handle(RunHandle handle) {
        return handle.runId() + " " + handle.isRepeated() + " " + handle.status();
    }

    private String result(RunHandle handle) {
        RunResult result = handle.result();
        Usage sum = result.usageByAgent().values().stream().reduce(Usage.NONE, Usage::plus);
        if (!sum.equals(result.totalUsage())) {
            turn.faults().accept("the usage of agents is " + sum + ", that of the run " + result.totalUsage());
        }
        return handle.runId() + " " + handle.isRepeated() + " " + Shown.of(result);
    }

    /** All choices are made here, so that calling it again changes nothing. */
    private Consumer<RunOptions.Builder> options(String agent, boolean rejectsBusy) {
        int thread = choice.below(6);
        String resource = choice.of(Choice.RESOURCES);
        int key = choice.below(24);
        int approval = choice.below(8);
        int steps = choice.below(8);
        int version = choice.below(10);
        int expiry = choice.below(4);
        int memory = choice.below(10);
        int other = choice.below(14);
        return options -> {
            if (rejectsBusy) {
                options.busyThread(BusyThreadPolicy.REJECT);
            }
            if (thread < 4 || SequenceCrew.hasTasks(agent)) {
                String id = Choice.THREADS.get(thread % 4);
                options.thread(id)
                        .resource(
                                thread % 4 == 3
                                        ? resource
                                        : Objects.requireNonNull(
                                                Choice.owner(id).resourceId()));
            } else if (thread == 4) {
                options.resource(resource);
            }
            if (key < 4) {
                options.idempotencyKey("k" + key);
            }
            if (approval == 0) {
                options.requireToolApproval(true);
            }
            if (steps == 0) {
                options.maxSteps(1);
            }
            if (expiry == 0) {
                options.approvalExpiry(Duration.ofMinutes(20));
            }
            versions(options, agent, version);
            memory(options, agent, memory);
            others(options, agent, other);
        };
    }

    private static void versions(RunOptions.Builder options, String agent, int version) {
        switch (version) {
            case 0 -> options.version(agent, Version.published());
            case 1 -> options.version("leaf", Version.latest());
            case 2 -> options.defaultVersion(Version.published().orCode());
            default -> {}
        }
    }

    private static void memory(RunOptions.Builder options, String agent, int memory) {
        if (memory == 0 && (agent.equals("top") || agent.equals("profiler"))) {
            options.memory(each -> each.readOnly());
        } else if (memory == 1 && agent.equals("top")) {
            options.memory(each ->
                    each.lastMessages(2).semanticRecall(recall -> recall.topK(1).scope(Scope.THREAD)));
        }
    }

    private static void others(RunOptions.Builder options, String agent, int other) {
        switch (other) {
            case 0 -> options.budget(budget -> budget.tokens(40));
            case 1 -> options.metadata("m", "v");
            case 2 -> options.requester("someone");
            case 3, 4, 5 -> {
                if (agent.equals("top")) {
                    options.requestContext(
                            ClientTools.in(RequestContext.empty(), "top", List.of(SequenceCrew.clientTool())));
                }
            }
            default -> {}
        }
    }

    private Consumer<RunOptions.Builder> workflowOptions() {
        int other = choice.below(12);
        return options -> {
            options.toolCallConcurrency(1);
            switch (other) {
                case 0, 1, 2 -> options.resource(Choice.RESOURCES.get(other));
                case 3, 4 -> options.idempotencyKey("k" + other);
                case 5 -> options.metadata("m", "v");
                default -> {}
            }
        };
    }
}
