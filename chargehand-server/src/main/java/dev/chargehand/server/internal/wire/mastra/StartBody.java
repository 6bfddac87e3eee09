package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.ClientMessages;
import dev.chargehand.server.internal.wire.ClientResults;
import dev.chargehand.server.internal.wire.ExternalTools;
import dev.chargehand.server.internal.wire.StartWish;
import dev.chargehand.server.internal.wire.WireOptions;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.content.SentImage;
import dev.chargehand.server.internal.wire.content.UserContent;
import dev.chargehand.server.internal.wire.mastra.memory.CallerThreads;
import dev.chargehand.server.internal.wire.mastra.memory.MemoryRoutes;
import dev.chargehand.server.internal.wire.mastra.memory.RunMemory;
import dev.chargehand.thread.ThreadChange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The body of a request that starts a run: messages in several forms, a thread, and options. */
final class StartBody {

    /** Where the ids count that clients give to runs. */
    static final String RUN = "run of an agent";

    private static final int STEPS = 10;

    private static final int CALLS = 10;

    private static final int RETRIES = 1;

    /** What changes the answer in Mastra, and that no agent has. */
    private static final Map<String, String> NOT_OFFERED = Map.ofEntries(
            Map.entry("model", "is not offered: an agent has a model of its own"),
            Map.entry("toolsets", "is not offered: use 'clientTools'"),
            Map.entry("output", "is not offered: use 'structuredOutput'"),
            Map.entry("threadId", "is not offered: use 'memory.thread'"),
            Map.entry("resourceId", "is not offered: use 'memory.resource'"),
            Map.entry("versions", "is not offered: an agent has a version of its own"),
            Map.entry("inputProcessors", "is not offered: an agent has processors of its own"),
            Map.entry("outputProcessors", "is not offered: an agent has processors of its own"),
            Map.entry("errorProcessors", "is not offered: an agent has processors of its own"),
            Map.entry("isTaskComplete", "is not offered: an agent has scorers of its own"),
            Map.entry("completion", "is not offered: an agent has scorers of its own"),
            Map.entry("delegation", "is not offered: an agent has options of delegations of its own"),
            Map.entry("autoResumeSuspendedTools", "is not offered: give the data of a call with 'resumeStream'"));

    private static final Set<String> NOTHING = Set.of("{}", "[]", "false");

    private static final ExternalTools.Choice CHOICE =
            new ExternalTools.Choice("toolChoice", "tool", Optional.empty(), "toolName");

    private static final UserContent USER =
            new UserContent(Set.of("text"), List.of("text", "image", "file"), StartBody::image);

    private final Body body;

    private StartBody(Body body) {
        this.body = body;
    }

    static StartBody of(Json json) {
        return new StartBody(Body.of(json));
    }

    /** Return the run that is wanted. */
    StartWish wish(WireRuns runs, Principal principal, Agent agent) {
        NOT_OFFERED.forEach((name, rule) -> reject(body, name, rule));
        Optional<Body> memory = body.object("memory");
        Optional<String> resource = memory.flatMap(it -> it.id("resource"));
        Optional<String> thread = memory.flatMap(StartBody::thread).map(id -> runs.thread(principal, resource, id));
        StartWish wish = new StartWish(agent, input(thread.isPresent()))
                .thread(thread)
                .resource(resource)
                .options(clientTools(runs, principal, agent)
                        .with(
                                options(runs, principal, agent),
                                context(runs.state().choices().contextKeys())));
        body.id("runId").ifPresent(id -> wish.key(RUN, id));
        return wish;
    }

    private static void reject(Body body, String name, String rule) {
        if (body.json(name)
                .filter(value -> !NOTHING.contains(value.canonical().text()))
                .isPresent()) {
            throw body.problem(name, rule);
        }
    }

    /** Return the tools that the client executes: an object with an object for each. */
    private ExternalTools clientTools(WireRuns runs, Principal principal, Agent agent) {
        boolean wanted = !(CHOICE.of(body) instanceof ToolChoice.None);
        List<ExternalTools.Sent> sent = new ArrayList<>();
        body.object("clientTools").ifPresent(tools -> tools.names().forEach(name -> tools.object(name)
                .ifPresent(tool -> sent.add(new ExternalTools.Sent(
                        tool,
                        name,
                        tool.text("description").orElse(""),
                        tool.json("inputSchema").or(() -> tool.json("parameters")))))));
        return ExternalTools.of(agent, body, "clientTools", wanted ? sent : List.of())
                .choosing(CHOICE, body, () -> runs.runtime(principal)
                        .effectiveOptions(agent, options -> {})
                        .changed());
    }

    /** Return the results of tools with which the messages end, by the ids of their calls. */
    Map<String, Json> results() {
        Map<String, Json> results = new LinkedHashMap<>();
        boolean list = body.json("messages")
                .filter(json -> json.text().strip().startsWith("["))
                .isPresent();
        for (Json message : list ? body.list("messages").reversed() : List.<Json>of()) {
            if (!message.isObject() || !Body.of(message).text("role").orElse("").equals("tool")) {
                break;
            }
            for (Body part : Body.of(message).objects("content")) {
                results.putIfAbsent(
                        part.requiredId("toolCallId"),
                        part.json("result").or(() -> part.json("output")).orElse(Json.of(null)));
            }
        }
        if (results.size() > ClientResults.MOST) {
            throw body.problem("messages", "may have at most " + ClientResults.MOST + " results");
        }
        return results;
    }

    /** Return what the request says about a thread that is new. */
    Consumer<ThreadChange> threadValues() {
        return body.object("memory")
                .filter(it -> it.json("thread").filter(Json::isObject).isPresent())
                .flatMap(it -> it.object("thread"))
                .map(MemoryRoutes::changes)
                .orElse(change -> {});
    }

    /** Keep the id of the thread of a run that has started. */
    void keepThread(Call call, StartWish wish, CallerThreads threads, Consumer<ThreadChange> values) {
        Optional<Body> memory = body.object("memory");
        memory.flatMap(StartBody::thread)
                .ifPresent(id -> threads.keep(
                        call,
                        memory.flatMap(it -> it.id("resource")),
                        id,
                        wish.thread().orElseThrow(),
                        values));
    }

    /** Return the thread of the request. */
    Optional<String> thread(WireRuns runs, Principal principal) {
        Optional<Body> memory = body.object("memory");
        return memory.flatMap(StartBody::thread)
                .map(id -> runs.thread(principal, memory.flatMap(it -> it.id("resource")), id));
    }

    private static Optional<String> thread(Body memory) {
        return memory.json("thread").filter(Json::isObject).isPresent()
                ? memory.object("thread").map(it -> it.requiredId("id"))
                : memory.id("thread");
    }

    private List<Message> input(boolean inThread) {
        ClientMessages messages = new ClientMessages();
        instructions(messages, "instructions");
        instructions(messages, "system");
        body.object("routing")
                .flatMap(routing -> routing.text("additionalInstructions"))
                .ifPresent(messages::instructions);
        context(messages, inThread);
        Optional<Json> sent = body.json("messages");
        if (sent.flatMap(Json::string).isPresent()) {
            messages.user(body.text("messages").orElseThrow());
        } else if (sent.filter(Json::isObject).isPresent()) {
            add(messages, body.object("messages").orElseThrow());
        } else {
            int i = 0;
            for (Json each : body.list("messages")) {
                Optional<String> text = each.string();
                if (text.isPresent()) {
                    messages.user(text.get());
                } else if (each.isObject()) {
                    add(messages, body.item("messages", i, each));
                } else {
                    throw body.problem("messages[" + i + "]", "must be a text or a message");
                }
                i++;
            }
        }
        List<Message> input = messages.input(inThread);
        if (input.isEmpty()) {
            throw body.problem("messages", ClientMessages.END);
        }
        return input;
    }

    /** Add messages that come before those of the request. In a thread, which has what was said, they are given as data. */
    private void context(ClientMessages messages, boolean inThread) {
        StringBuilder given = new StringBuilder();
        for (Body message : body.objects("context")) {
            if (inThread) {
                given.append(message.requiredId("role"))
                        .append(": ")
                        .append(text(message))
                        .append('\n');
            } else {
                add(messages, message);
            }
        }
        messages.instructions(given.toString());
    }

    /** Add instructions: a text or a message, or several. */
    private void instructions(ClientMessages messages, String field) {
        Optional<Json> given = body.json(field);
        boolean one = given.filter(json -> json.isObject() || json.string().isPresent())
                .isPresent();
        List<Json> all = one ? given.stream().toList() : body.list(field);
        for (int i = 0; i < all.size(); i++) {
            Json each = all.get(i);
            if (each.string().isPresent()) {
                messages.instructions(each.string().orElseThrow());
            } else if (each.isObject()) {
                messages.instructions(text(one ? body.object(field).orElseThrow() : body.item(field, i, each)));
            } else {
                throw body.problem(field, "must be a text or a message, or several");
            }
        }
    }

    private static void add(ClientMessages messages, Body message) {
        switch (message.requiredId("role")) {
            case "user" -> messages.user(shown(message));
            case "assistant" -> messages.assistant(text(message));
            case "system" -> messages.instructions(text(message));
            case "tool" -> {} // its call has its result
            default -> throw message.role("Messages may have the roles 'user', 'assistant', 'system' and 'tool'.");
        }
    }

    /** Return what a user says and shows: the content, or the parts as the message is stored or as a user interface has it. */
    private static List<Part> shown(Body message) {
        Optional<Json> content = message.json("content");
        return content.filter(Json::isObject).isPresent()
                ? USER.of(message.object("content").orElseThrow(), "parts")
                : USER.of(message, content.isPresent() ? "content" : "parts");
    }

    private static Optional<Part.Image> image(Body part) {
        return switch (part.text("type").orElse("")) {
            case "image" -> Optional.of(SentImage.of(part, "image", part));
            case "file" -> Optional.of(SentImage.of(part, part.json("url").isPresent() ? "url" : "data", part));
            default -> Optional.empty();
        };
    }

    /** Return the text of a message: its content, or its parts as it is stored or as a user interface has it. */
    private static String text(Body message) {
        Optional<Json> content = message.json("content");
        boolean stored = content.filter(Json::isObject).isPresent();
        Body holder = stored ? message.object("content").orElseThrow() : message;
        String field = stored || content.isEmpty() ? "parts" : "content";
        boolean answered = message.text("role").orElse("").equals("assistant")
                && holder.json(field).flatMap(Json::string).isEmpty();
        return answered ? said(holder, field) : WireOptions.text(holder, field, Set.of("text"));
    }

    /** Return what an answer says: its other parts are calls with their results, what the model thought, and the starts of steps. */
    private static String said(Body answer, String field) {
        return answer.objects(field).stream()
                .filter(part -> part.text("type").orElse("").equals("text"))
                .map(part -> part.text("text").orElse(""))
                .collect(Collectors.joining());
    }

    private Consumer<RunOptions.Builder> options(WireRuns runs, Principal principal, Agent agent) {
        List<Consumer<RunOptions.Builder>> changes = new ArrayList<>();
        Map<String, Object> own =
                runs.runtime(principal).effectiveOptions(agent, options -> {}).changed();
        lowered(body, "maxSteps", 1, own.getOrDefault("maxSteps", STEPS))
                .ifPresent(steps -> changes.add(options -> options.maxSteps(steps)));
        lowered(body, "maxProcessorRetries", 0, own.getOrDefault("maxProcessorRetries", RETRIES))
                .ifPresent(retries -> changes.add(options -> options.maxProcessorRetries(retries)));
        if (body.json("activeTools").isPresent()) {
            changes.add(activeTools(own));
        }
        if (body.json("toolChoice").flatMap(Json::string).equals(Optional.of("none"))) {
            changes.add(options -> options.toolChoice(ToolChoice.none()));
        }
        body.object("memory")
                .flatMap(memory -> memory.object("options"))
                .ifPresent(memory -> changes.add(RunMemory.of(agent, memory)));
        if (body.flag("requireToolApproval")) {
            changes.add(options -> options.requireToolApproval(true));
        }
        body.object("modelSettings")
                .flatMap(settings -> settings.number("maxOutputTokens"))
                .ifPresent(most -> changes.add(WireOptions.tokens(most)));
        concurrency(own).ifPresent(most -> changes.add(options -> options.toolCallConcurrency(most)));
        body.object("structuredOutput").ifPresent(output -> {
            StructuredOutput structured = StructuredAnswer.of(output);
            changes.add(options -> options.structuredOutput(structured));
        });
        RequestContext context = context(runs.state().choices().contextKeys());
        if (!context.equals(RequestContext.empty())) {
            changes.add(options -> options.requestContext(context));
        }
        return options -> changes.forEach(change -> change.accept(options));
    }

    /** Return how many calls of a step may be executed at once: a number, or an object with one. */
    private Optional<Integer> concurrency(Map<String, Object> own) {
        String name = "toolCallConcurrency";
        Object most = own.getOrDefault(name, CALLS);
        return body.json(name).filter(Json::isObject).isPresent()
                ? lowered(body.object(name).orElseThrow(), "limit", 1, most)
                : lowered(body, name, 1, most);
    }

    /** Return a number that must not be above that of the agent. */
    private static Optional<Integer> lowered(Body given, String name, int least, Object most) {
        Optional<Integer> wanted = given.number(name, least);
        if (wanted.filter(number -> number > (Integer) most).isPresent()) {
            throw given.problem(name, "can only be lowered; it is " + most + " here");
        }
        return wanted;
    }

    private Consumer<RunOptions.Builder> activeTools(Map<String, Object> own) {
        List<String> names = body.list("activeTools").stream()
                .map(name -> name.string()
                        .orElseThrow(() -> body.problem("activeTools", "must be a list of the names of tools")))
                .toList();
        if (own.get("activeTools") instanceof Collection<?> allowed && !allowed.containsAll(names)) {
            throw body.problem("activeTools", "can only be lowered; it is " + allowed + " here");
        }
        return options -> options.activeTools(names.toArray(String[]::new));
    }

    private RequestContext context(Set<String> contextKeys) {
        return WireOptions.requestContext(body, contextKeys);
    }
}
