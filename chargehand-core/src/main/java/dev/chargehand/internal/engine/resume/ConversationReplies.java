package dev.chargehand.internal.engine.resume;

import dev.chargehand.RunHandle;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.Cursor;
import dev.chargehand.internal.call.CallerContext;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.engine.AccessGate;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.RunKeys;
import dev.chargehand.internal.engine.RunRequest;
import dev.chargehand.internal.engine.answer.AnswerReader;
import dev.chargehand.internal.engine.answer.ReadAnswer;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.engine.tree.SuspendedRuns;
import dev.chargehand.internal.engine.watch.TreeWatch;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.journal.DeliveryCodec;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.memory.side.SideModels;
import dev.chargehand.internal.option.Option;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.State;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Answers what the newest run of a thread asks with the next message of the conversation, for calls with the option {@code
 * autoResumeSuspendedTools}. Thread-safe.
 *
 * <p>The message is delivered to the run before its data: after a crash between both it is not lost, and the run still
 * waits. A repeated call finds it by its idempotency key.
 */
final class ConversationReplies {

    private static final Log LOG = Log.of(ConversationReplies.class);

    private final RuntimeEnvironment environment;
    private final RunClaims claims;
    private final RunHandles handles;
    private final ApprovalResumer approvals;
    private final AccessGate access;

    ConversationReplies(
            RuntimeEnvironment environment,
            RunClaims claims,
            RunHandles handles,
            ApprovalResumer approvals,
            AccessGate access) {
        this.environment = environment;
        this.claims = claims;
        this.handles = handles;
        this.approvals = approvals;
        this.access = access;
    }

    /** What a message was. */
    sealed interface Reply {}

    /**
     * It was for a run that waited, and has been delivered to it.
     *
     * @param run that run
     * @param before the last event of it before the message
     */
    record Received(RunHandle run, Cursor before) implements Reply {}

    /**
     * It is the input of a run of its own.
     *
     * @param spent what finding that out has used
     */
    record Another(Spending spent) implements Reply {}

    private static final Reply ANOTHER = new Another(Spending.NOTHING);

    /** A run that waits for the data of one call, and for nothing else from outside. */
    private record Asking(
            RunRecord root, State state, @Nullable PendingApproval question) {}

    /**
     * Find out what the message of a call is for. An interrupt ends that, and stays set: then the call starts a run, which it
     * cancels.
     *
     * @throws ConfigurationException if the call has input processors, which would not see the message
     */
    Reply read(RunRequest request) {
        OptionValues options = request.options();
        String thread = options.get(Options.THREAD);
        if (!options.get(Options.AUTO_RESUME)
                || thread == null
                || !(request.definition() instanceof AgentDefinition agent)
                || !isText(request.input())) {
            return ANOTHER;
        }
        if (!options.get(Options.INPUT_PROCESSORS).isEmpty()) {
            throw new ConfigurationException("Agent '" + agent.id()
                    + "': option 'autoResumeSuspendedTools' cannot be combined with input processors, which would not see"
                    + " a message that answers a suspended run. Omit one of both.");
        }
        handles.engine().requireOpen();
        if (!access.mayOpenThread(thread, options.get(Options.RESOURCE), true)) {
            return ANOTHER; // which is rejected
        }
        String deliveryId = deliveryId(request);
        return newest(thread, options)
                .map(root -> asking(root, deliveryId))
                .map(asking -> reply(request, agent, asking, deliveryId))
                .orElse(ANOTHER);
    }

    /** Only what a user writes counts, and a model reads it here as text. */
    private static boolean isText(List<Message> input) {
        return input.size() == 1
                && input.getFirst().role() == Role.USER
                && !input.getFirst().internal()
                && !input.getFirst().text().isBlank()
                && input.getFirst().parts().stream().allMatch(Part.Text.class::isInstance);
    }

    /** The delivery of a repeated call with a key has the same id. */
    private String deliveryId(RunRequest request) {
        var key = RunKeys.of(environment.tenantId(), request.definition(), request.input(), request.options());
        return key == null ? environment.ids().next("message_") : "message_" + key.id() + "_" + key.digest();
    }

    private Optional<RunRecord> newest(String thread, OptionValues options) {
        return environment.store().list(RunFilter.ROOTS.thread(thread).limit(1)).stream()
                .filter(run -> run.resourceId().equals(Optional.ofNullable(options.get(Options.RESOURCE))))
                .findFirst();
    }

    /** Return a run that the message is for; null if it is for none, or if that cannot be known yet. */
    private @Nullable Asking asking(RunRecord root, String deliveryId) {
        boolean received = hasReceived(root, deliveryId);
        State state = SuspendedRuns.look(environment.store(), root);
        List<PendingApproval> pending = root.status() == RunStatus.SUSPENDED
                ? SuspendedRuns.below(environment.store(), state).calls()
                : List.of();
        boolean asks = pending.size() == 1
                && pending.getFirst().kind() == PendingApproval.Kind.DATA
                && pending.getFirst().expiresAt().isAfter(environment.time().now())
                && state.started().settings().get(Options.SELF_APPROVAL)
                && environment.store().undrained(root.runId()).stream()
                        .noneMatch(delivery -> delivery.kind().answers());
        return asks || received ? new Asking(root, state, asks ? pending.getFirst() : null) : null;
    }

    /** Return whether an earlier call with the same key has delivered the message. */
    private boolean hasReceived(RunRecord root, String deliveryId) {
        String messageId = messageId(root, deliveryId);
        return environment.store().undrained(root.runId()).stream()
                        .anyMatch(delivery -> delivery.id().equals(deliveryId))
                || Journal.read(environment.store(), root.runId()).stream()
                        .map(Journal.Stored::fact)
                        .filter(Fact.Said.class::isInstance)
                        .flatMap(said -> ((Fact.Said) said).messages().stream())
                        .anyMatch(message -> messageId.equals(message.id()));
    }

    private static String messageId(RunRecord root, String deliveryId) {
        return root.runId() + ".told." + deliveryId;
    }

    private Reply reply(RunRequest request, AgentDefinition agent, Asking asking, String deliveryId) {
        RunRecord root = asking.root();
        Cursor before = TreeWatch.end(environment.store(), root.runId());
        PendingApproval question = asking.question();
        boolean received = hasReceived(root, deliveryId);
        UnaryOperator<OptionValues> changes = changes(root, agent, request.options());
        if (question == null) {
            return new Received(continued(root, changes), before);
        }
        ReadAnswer answer = new ReadAnswer(null, Spending.NOTHING);
        if (access.mayAnswer(question, root) && canResume(root, changes)) {
            answer = answer(request, agent, question);
        }
        Json data = answer.data();
        if (data != null) {
            ApprovalAnswer.Data given = new ApprovalAnswer.Data(user(request), data);
            CallAnswer.FromMessage from = new CallAnswer.FromMessage(messageId(root, deliveryId), answer.spent());
            if (approvals.accepts(question, given, from) && (received || deliver(request, root, deliveryId))) {
                return new Received(answered(question, given, from, changes), before);
            }
        }
        return received ? new Received(handles.found(root.runId()), before) : new Another(answer.spent());
    }

    /** The user of the thread answers. */
    private Approver user(RunRequest request) {
        String resource = request.options().get(Options.RESOURCE);
        return Approver.of(resource == null ? "user" : "user:" + resource, environment.tenantId());
    }

    /** What was delivered is in the conversation of the run, even if another answer was faster. */
    private RunHandle answered(
            PendingApproval question,
            ApprovalAnswer.Data answer,
            CallAnswer.FromMessage from,
            UnaryOperator<OptionValues> changes) {
        try {
            return approvals.answer(question, answer, from, changes);
        } catch (ApprovalException e) {
            LOG.warn("run {}: a message did not answer it: {}", question.rootRunId(), e.getMessage());
            return handles.found(question.rootRunId());
        }
    }

    /** The process of the earlier call may have died before it resumed the run. */
    private RunHandle continued(RunRecord root, UnaryOperator<OptionValues> changes) {
        boolean answered = environment.store().undrained(root.runId()).stream()
                .anyMatch(delivery -> delivery.kind().answers());
        if (answered) {
            Optional<LocalRun> ignored = approvals.resumed(root.runId(), changes);
        }
        return handles.found(root.runId());
    }

    private boolean deliver(RunRequest request, RunRecord root, String deliveryId) {
        Delivery message = new Delivery(
                root.runId(),
                deliveryId,
                Delivery.Kind.MESSAGE,
                DeliveryCodec.write(request.input().getFirst()),
                environment.time().now());
        return !(environment.store().deliver(message) instanceof Delivered.NotWaiting);
    }

    /** The hooks of the call are those of a run of the same agent from now on, as when a call answers it. */
    private static UnaryOperator<OptionValues> changes(RunRecord root, AgentDefinition agent, OptionValues call) {
        return before -> root.agentId().equals(agent.id()) ? before.withSet(Option.Part.CODE, call) : before;
    }

    private boolean canResume(RunRecord root, UnaryOperator<OptionValues> changes) {
        try {
            RunClaims.Given ignored = claims.require(root, changes);
            return true;
        } catch (ChargehandException e) {
            LOG.warn("run {}: no message can answer it here: {}", root.runId(), e.getMessage());
            return false;
        }
    }

    private AnswerReader reader(RunRequest request, AgentDefinition agent, Cancellation cancellation) {
        OptionValues options = request.options();
        return new AnswerReader(
                new SideModels(environment.models()::of, environment.redactor()),
                environment.callouts().with(CallerContext.capture(environment.propagators())),
                agent.modelFor(options.get(Options.REQUEST_CONTEXT)),
                options,
                cancellation);
    }

    /** Read an answer on a thread of its own, so that an interrupt of the caller ends it. */
    private ReadAnswer answer(RunRequest request, AgentDefinition agent, PendingApproval question) {
        Cancellation cancellation = new Cancellation();
        AnswerReader reader = reader(request, agent, cancellation);
        String text = request.input().getFirst().text();
        FutureTask<ReadAnswer> reading = new FutureTask<>(() -> reader.read(question, text));
        Thread.ofVirtual().name("answer to " + question.callId()).start(reading);
        try {
            return reading.get();
        } catch (InterruptedException e) {
            cancellation.cancel(new StopReason.Cancelled("interrupt"));
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            LOG.warn(
                    "run {}: whether a message answers it is not known: {}",
                    question.rootRunId(),
                    environment.redactor().describe(cause == null ? e : cause));
        }
        return new ReadAnswer(null, reader.spent());
    }
}
