package dev.chargehand.server.internal.wire.mastra.memory;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The routes that store and delete messages of threads. Stored messages are history: no run reads them before the next one of the thread. */
public final class MessageRoutes {

    private static final int MOST = 1_000;
    private static final int THREADS_SEARCHED = 20;
    private static final int MESSAGES_SEARCHED = 200;

    private final CallerThreads threads;
    private final MessagePages pages;

    /** Make it. */
    public MessageRoutes(CallerThreads threads) {
        this.threads = threads;
        this.pages = new MessagePages(threads);
    }

    /** Return the routes. */
    public List<Route> routes() {
        return List.of(
                MemoryRoutes.write("POST", "/api/memory/save-messages", "Store messages", this::save),
                MemoryRoutes.write("POST", "/api/memory/messages/delete", "Delete messages", this::delete));
    }

    private Reply save(Call call) {
        List<Body> sent = Body.of(call.body()).objects("messages");
        if (sent.isEmpty() || sent.size() > MOST) {
            throw Body.of(call.body()).problem("messages", "must be a list of 1 to " + MOST + " messages");
        }
        Map<ThreadRecord, List<Message>> messages = new LinkedHashMap<>();
        for (Body each : sent) { // all is checked before anything is stored
            messages.computeIfAbsent(thread(call, each), id -> new ArrayList<>())
                    .add(message(each));
        }
        List<Map<String, Object>> stored = new ArrayList<>();
        messages.forEach((thread, list) -> stored.addAll(append(call, thread, list)));
        return Reply.ok(Map.of("messages", stored));
    }

    private ThreadRecord thread(Call call, Body message) {
        Optional<String> resource =
                Owners.resource(call.principal(), message.id("resourceId").orElse(null));
        return threads.find(call, resource, message.requiredId("threadId"))
                .orElseThrow(() -> Problem.THREAD_UNKNOWN.of(
                        "There is no thread with the id that a message names; create it before."));
    }

    private static Message message(Body message) {
        boolean inParts = message.json("content").filter(Json::isObject).isPresent();
        Part[] parts = inParts ? parts(message.object("content").orElseThrow(), "parts") : parts(message, "content");
        if (Message.of(Role.USER, parts).text().isBlank()) {
            throw message.problem("content", "must have a text");
        }
        Message read =
                switch (message.requiredId("role")) {
                    case "user" -> Message.of(Role.USER, parts);
                    case "assistant" -> Message.of(Role.ASSISTANT, parts);
                    default -> throw message.role("Stored messages may have the roles 'user' and 'assistant'.");
                };
        return message.id("id").map(read::withId).orElse(read);
    }

    /** Return the texts of a message, each as a part of its own. */
    private static Part[] parts(Body message, String field) {
        if (message.json(field).flatMap(Json::string).isPresent()) {
            return new Part[] {new Part.Text(message.text(field).orElseThrow())};
        }
        return message.objects(field).stream()
                .map(part -> {
                    if (!part.text("type").equals(Optional.of("text"))) {
                        throw part.problem("type", "must be 'text': other parts are not offered");
                    }
                    return new Part.Text(part.text("text").orElse(""));
                })
                .filter(part -> !part.text().isEmpty())
                .toArray(Part[]::new);
    }

    /** Append messages, and return them as they are stored, in the order of the request: also those that the thread had, which keeps each id once. */
    private List<Map<String, Object>> append(Call call, ThreadRecord thread, List<Message> messages) {
        ThreadRecord after = threads.of(call).append(thread.owner(), thread.threadId(), messages);
        int added = (int) Math.min(MOST, after.length() - thread.length());
        List<ThreadMessage> newest =
                added == 0 ? List.of() : threads.of(call).lastMessages(thread.owner(), thread.threadId(), added);
        Set<String> ids = messages.stream().map(Message::id).collect(Collectors.toSet());
        Map<String, ThreadMessage> stored = new HashMap<>();
        newest.forEach(each -> stored.put(each.message().id(), each));
        if (ids.stream().anyMatch(id -> !id.isEmpty() && !stored.containsKey(id))) {
            pages.all(after, call).forEach(each -> stored.put(each.message().id(), each));
        }
        Iterator<ThreadMessage> withNewIds = newest.stream()
                .filter(each -> !ids.contains(each.message().id()))
                .iterator();
        List<ThreadMessage> sent = new ArrayList<>();
        for (Message message : messages) {
            if (stored.containsKey(message.id())) {
                sent.add(stored.get(message.id()));
            } else if (message.id().isEmpty() && withNewIds.hasNext()) {
                sent.add(withNewIds.next());
            }
        }
        String id = threads.idOf(call, threads.note(call, after));
        return threads.visible(call, after, sent).stream()
                .map(each -> ThreadViews.message(each, after, id, Map.of()))
                .toList();
    }

    private Reply delete(Call call) {
        Map<ShownIds.Place, List<String>> places = new LinkedHashMap<>();
        List<String> ids = ids(Body.of(call.body()));
        for (String id : ids) {
            ShownIds.Place place = threads.shown()
                    .message(call.principal(), id)
                    .or(() -> search(call, id))
                    .orElseThrow(MessageRoutes::unknown);
            places.computeIfAbsent(place, it -> new ArrayList<>()).add(id);
        }
        int deleted = 0;
        for (Map.Entry<ShownIds.Place, List<String>> each : places.entrySet()) {
            ShownIds.Place place = each.getKey();
            deleted += threads.of(call).deleteMessages(place.owner(), place.threadId(), each.getValue());
        }
        if (deleted == 0) {
            throw unknown();
        }
        return Reply.ok(
                Map.of("success", true, "message", deleted == 1 ? "1 message deleted" : deleted + " messages deleted"));
    }

    private static ProblemException unknown() {
        return Problem.THREAD_UNKNOWN.of(
                "There is no message with this id in the newest threads of the caller; list the messages of its thread before.");
    }

    /** Search the newest messages of the newest threads of the caller's resource, for a message that another process has shown. */
    private Optional<ShownIds.Place> search(Call call, String id) {
        Optional<String> resource = CallerThreads.resource(call);
        if (resource.isEmpty()) {
            return Optional.empty();
        }
        return threads.of(call).list(resource.get(), 0, THREADS_SEARCHED).stream()
                .filter(thread ->
                        threads.of(call).lastMessages(thread.owner(), thread.threadId(), MESSAGES_SEARCHED).stream()
                                .anyMatch(each -> each.message().id().equals(id)))
                .map(thread -> new ShownIds.Place(thread.owner(), thread.threadId()))
                .findFirst();
    }

    /** Return the ids of a request: one or several, each a text or an object with an id. */
    private static List<String> ids(Body body) {
        Optional<Json> sent = body.json("messageIds");
        List<String> ids = new ArrayList<>();
        if (sent.flatMap(Json::string).isPresent()) {
            ids.add(body.requiredId("messageIds"));
        } else if (sent.filter(Json::isObject).isPresent()) {
            ids.add(body.object("messageIds").orElseThrow().requiredId("id"));
        } else {
            for (Json each : body.list("messageIds")) {
                ids.add(
                        each.isObject()
                                ? Body.of(each).requiredId("id")
                                : each.string()
                                        .filter(text -> !text.isBlank())
                                        .orElseThrow(() ->
                                                body.problem("messageIds", "must have ids, or messages with an id")));
            }
        }
        if (ids.isEmpty() || ids.size() > MOST) {
            throw body.problem("messageIds", "must name 1 to " + MOST + " messages");
        }
        return ids;
    }
}
