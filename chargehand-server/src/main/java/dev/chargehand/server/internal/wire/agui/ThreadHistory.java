package dev.chargehand.server.internal.wire.agui;

import dev.chargehand.Agent;
import dev.chargehand.TenantRuntime;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.api.Streams;
import dev.chargehand.server.internal.http.FrameLoop;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.WireStream;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.Threads;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Connects a client to a thread: it receives the messages of the thread as a snapshot, then the run of the thread that has not ended. Its
 * client puts what it does not have yet after what it has, so that only a request without a new message has a snapshot. Thread-safe.
 */
final class ThreadHistory {

    private static final int PAGE = 1_000;

    /** How many messages a snapshot has at most, up to a page more. */
    private static final int MOST = 10_000;

    /** How many runs are searched for the state, newest first. */
    private static final int MOST_RUNS = 10;

    private final WireRuns runs;

    ThreadHistory(WireRuns runs) {
        this.runs = runs;
    }

    /**
     * Answer a request that connects.
     *
     * @param thread the thread as the store names it
     * @param threadId the thread as the client names it
     * @param runId the run as the client names it
     * @param state the state of the client
     */
    Reply connect(Call call, String thread, String threadId, String runId, Map<String, Json> state) {
        for (Scope scope : List.of(Scope.THREADS_READ, Scope.RUNS_READ)) { // the route may have that of a start
            if (!call.principal().has(scope)) {
                throw Problem.lacks(scope);
            }
        }
        Optional<RunRecord> open = open(call, thread);
        Optional<ThreadRecord> found = runs.runtime(call.principal())
                .threads()
                .find(Owners.owner(Owners.resource(call.principal(), null)), thread);
        Optional<List<Map<String, Object>>> messages =
                found.map(record -> messages(call, record, open.map(RunRecord::runId)));
        RunId root = open.map(RunRecord::runId).orElse(new RunId(runId));
        int past = open.map(run -> runs.suspensions(call.principal(), run)).orElse(0);
        AgUiEncoder encoder = AgUiEncoder.reading(root, threadId, runId, messages, past)
                .keeping(state)
                .remembering(found.flatMap(record -> lastObject(call, thread)));
        return open.isEmpty()
                ? ended(call, thread, encoder.snapshot())
                : new WireStream(runs.state(), call, WireStream.Plan.ofReader(root), encoder);
    }

    /** Return the object of the newest ended run of a thread that has one. Only runs of an agent whose answers are objects are looked at. */
    private Optional<Json> lastObject(Call call, String thread) {
        TenantRuntime runtime = runs.runtime(call.principal());
        Agent agent = runs.agent(call.principal(), call.parameter("agent"));
        if (!runtime.effectiveOptions(agent, options -> {}).changed().containsKey("structuredOutput")) {
            return Optional.empty();
        }
        return runtime.runs(RunFilter.ROOTS.thread(thread).limit(MOST_RUNS)).stream()
                .filter(run -> run.status().isEnded() && runs.owners().owns(call.principal(), run))
                .flatMap(run -> object(runtime, run.runId()).stream())
                .findFirst();
    }

    private static Optional<Json> object(TenantRuntime runtime, RunId run) {
        return runtime.history(run).stream()
                .filter(event -> event.runId().equals(run))
                .filter(RunEvent.ObjectResult.class::isInstance)
                .flatMap(event -> Stream.ofNullable(((RunEvent.ObjectResult) event).object()))
                .reduce((before, last) -> last);
    }

    /** Return the newest run of a thread, if it has not ended. */
    private Optional<RunRecord> open(Call call, String thread) {
        return runs
                .runtime(call.principal())
                .runs(RunFilter.ROOTS.thread(thread).limit(1))
                .stream()
                .filter(run -> !run.status().isEnded() && run.status() != RunStatus.PENDING)
                .filter(run -> runs.owners().owns(call.principal(), run))
                .findFirst();
    }

    /** Return the newest messages of a thread, without those that the stream of a run will send. */
    private List<Map<String, Object>> messages(Call call, ThreadRecord thread, Optional<RunId> open) {
        List<Map<String, Object>> messages = new ArrayList<>();
        newest(call, thread).stream()
                .filter(each -> !each.message().internal())
                .filter(each -> open.isEmpty() || !each.runId().equals(open) || each.role() == Role.USER)
                .dropWhile(each -> each.role() == Role.TOOL) // its call is not among them
                .forEach(each -> add(each, messages));
        return messages;
    }

    private List<ThreadMessage> newest(Call call, ThreadRecord thread) {
        Threads threads = runs.runtime(call.principal()).threads();
        List<ThreadMessage> newest = List.of();
        long before = Long.MAX_VALUE;
        while (newest.size() < MOST) {
            List<ThreadMessage> page = threads.messagesBefore(thread.owner(), thread.threadId(), before, PAGE);
            if (page.isEmpty()) {
                break;
            }
            before = page.getFirst().position();
            newest = Stream.concat(page.stream(), newest.stream()).toList();
        }
        return newest;
    }

    /** Add a message under ids that no stream has: the client would leave one that it knows where it is, and put the others after it. */
    private static void add(ThreadMessage each, List<Map<String, Object>> messages) {
        String id = each.message().id();
        switch (each.role()) {
            case USER -> messages.add(said(each, id));
            case SYSTEM -> messages.add(message(id, "system", each.text()));
            case ASSISTANT -> addAnswer(each, id, messages);
            case TOOL ->
                each.message().toolResults().forEach(result -> {
                    Map<String, Object> fields = message(id + "-" + result.callId(), "tool", result.output());
                    fields.put("toolCallId", result.callId());
                    if (result.error()) {
                        fields.put("error", result.output());
                    }
                    messages.add(fields);
                });
        }
    }

    /** Return what the user has said; a message that shows images has a list of parts. */
    private static Map<String, Object> said(ThreadMessage each, String id) {
        Map<String, Object> fields = message(id, "user", each.text());
        if (each.parts().stream().anyMatch(Part.Image.class::isInstance)) {
            List<Map<String, Object>> parts = new ArrayList<>();
            for (Part part : each.parts()) {
                switch (part) {
                    case Part.Text text -> parts.add(Map.of("type", "text", "text", text.text()));
                    case Part.Image image -> parts.add(Map.of("type", "image", "source", source(image)));
                    default -> {} // users send no others
                }
            }
            fields.put("content", parts);
        }
        return fields;
    }

    private static Map<String, Object> source(Part.Image image) {
        String url = image.url();
        int bytes = url.startsWith("data:") ? url.indexOf(',') + 1 : 0;
        return Map.of("type", bytes > 0 ? "data" : "url", "value", url.substring(bytes), "mimeType", image.mediaType());
    }

    private static void addAnswer(ThreadMessage each, String id, List<Map<String, Object>> messages) {
        StringBuilder reasoning = new StringBuilder();
        List<Map<String, Object>> calls = new ArrayList<>();
        for (Part part : each.parts()) {
            switch (part) {
                case Part.Reasoning thought -> reasoning.append(thought.text());
                case Part.ToolCall call ->
                    calls.add(Map.of(
                            "id",
                            call.callId(),
                            "type",
                            "function",
                            "function",
                            Map.of("name", call.name(), "arguments", call.arguments())));
                default -> {} // texts are below
            }
        }
        if (!reasoning.isEmpty()) {
            messages.add(message(id + "-reasoning", "reasoning", reasoning.toString()));
        }
        Map<String, Object> fields = message(id, "assistant", each.text());
        if (!calls.isEmpty()) {
            fields.put("toolCalls", calls);
        }
        messages.add(fields);
    }

    private static Map<String, Object> message(String id, String role, String content) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", id);
        fields.put("role", role);
        fields.put("content", content);
        return fields;
    }

    /** Send frames that are ready, in the place of a stream. */
    private Reply ended(Call call, String thread, List<Frame> frames) {
        String place = "messages of thread " + thread + " of tenant "
                + call.principal().tenantId();
        runs.state().streams().reserve(call, place);
        StringBuilder text = new StringBuilder();
        frames.forEach(frame -> text.append(frame.text()));
        Map<String, String> headers = Map.of("Content-Type", "text/event-stream", "Cache-Control", "no-store");
        Reply.Streamed stream = exchange -> {
            try (Streams.Open open = runs.state().streams().open(call, place);
                    OutputStream out = exchange.stream(200, headers)) {
                new FrameLoop(open, out).write(text.toString());
            }
        };
        return stream;
    }
}
