package dev.chargehand.server.internal.wire.mastra.memory;

import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Pages of the messages of a thread. Without an order, a page counts from the newest message and is read from its oldest. A long thread is
 * not read whole for it: then messages that are not shown, such as those with results, count too.
 */
final class MessagePages {

    private static final int BATCH = 1_000;
    private static final int MOST = 10 * BATCH;
    private static final int BY_DEFAULT = 40;
    private static final int RESULTS = 40;
    private static final int LONGEST = BATCH;

    private final CallerThreads threads;

    MessagePages(CallerThreads threads) {
        this.threads = threads;
    }

    Reply page(Call call) {
        ThreadRecord thread = threads.require(call);
        ListQuery.Page page = ListQuery.Page.of(call, BY_DEFAULT, BATCH);
        boolean isPlain = page.size().isPresent()
                && call.query("orderBy").isEmpty()
                && call.query("filter").isEmpty()
                && call.query("include").isEmpty();
        return isPlain && thread.length() > LONGEST ? ofEnd(call, thread, page) : ofAll(call, thread, page);
    }

    private Reply ofAll(Call call, ThreadRecord thread, ListQuery.Page page) {
        Optional<Body> order = ListQuery.object(call, "orderBy");
        order.flatMap(it -> it.text("field"))
                .filter(field -> !field.equals("createdAt"))
                .ifPresent(field -> {
                    throw Problem.BAD_REQUEST.of("Messages are ordered by 'createdAt'.");
                });
        Optional<Boolean> ascending =
                ListQuery.ascending(order.map(it -> it.text("direction").orElse("ASC")));
        List<ThreadMessage> all = all(thread, call);
        Map<String, Part.ToolResult> results = ThreadViews.results(all);
        List<ThreadMessage> shown = threads.visible(call, thread, all);
        Predicate<ThreadMessage> filter =
                ListQuery.object(call, "filter").map(MessagePages::filter).orElse(each -> true);
        List<ThreadMessage> found = shown.stream().filter(filter).toList();
        boolean isNewestFirst = !ascending.orElse(false);
        List<ThreadMessage> wanted = page.of(isNewestFirst ? found.reversed() : found);
        Set<Long> positions =
                wanted.stream().map(ThreadMessage::position).collect(Collectors.toCollection(TreeSet::new));
        ListQuery.objects(call, "include")
                .forEach(each -> include(thread, call.parameter("id"), shown, each, positions));
        List<ThreadMessage> listed = shown.stream()
                .filter(each -> positions.contains(each.position()))
                .toList();
        return reply(
                call,
                thread,
                ascending.isPresent() && isNewestFirst ? listed.reversed() : listed,
                results,
                page.fields(found.size()));
    }

    /** Return the newest messages of a thread, with those that are not shown. */
    List<ThreadMessage> all(ThreadRecord thread, Call call) {
        List<ThreadMessage> all = new ArrayList<>();
        long before = Long.MAX_VALUE;
        while (all.size() < MOST) {
            List<ThreadMessage> batch =
                    threads.of(call).messagesBefore(thread.owner(), thread.threadId(), before, BATCH);
            all.addAll(0, batch);
            if (batch.size() < BATCH) {
                break;
            }
            before = batch.getFirst().position();
        }
        return all;
    }

    /** Return what a filter of the client demands of a message. */
    private static Predicate<ThreadMessage> filter(Body filter) {
        if (filter.object("metadata").filter(it -> !it.names().isEmpty()).isPresent()) {
            throw filter.problem("metadata", "is not offered: messages have none");
        }
        List<String> roles = filter.texts("roles");
        Predicate<ThreadMessage> inTime =
                filter.object("dateRange").map(MessagePages::inTime).orElse(each -> true);
        return each -> inTime.test(each) && (roles.isEmpty() || roles.contains(ThreadViews.role(each)));
    }

    private static Predicate<ThreadMessage> inTime(Body range) {
        Instant start = ListQuery.time(range, "start").orElse(Instant.MIN);
        Instant end = ListQuery.time(range, "end").orElse(Instant.MAX);
        boolean afterStart = range.flag("startExclusive");
        boolean beforeEnd = range.flag("endExclusive");
        return each -> {
            Instant at = each.at().orElse(Instant.EPOCH);
            boolean isEarly = afterStart ? !at.isAfter(start) : at.isBefore(start);
            boolean isLate = beforeEnd ? !at.isBefore(end) : at.isAfter(end);
            return !isEarly && !isLate;
        };
    }

    /** Add the positions of a message and of those around it. */
    private static void include(
            ThreadRecord thread, String shownId, List<ThreadMessage> shown, Body wanted, Set<Long> positions) {
        wanted.id("threadId")
                .filter(id -> !id.equals(thread.threadId()) && !id.equals(shownId))
                .ifPresent(id -> {
                    throw wanted.problem("threadId", "is not offered: messages of this thread can be included");
                });
        String id = wanted.requiredId("id");
        for (int i = 0; i < shown.size(); i++) {
            if (shown.get(i).message().id().equals(id)) {
                int from =
                        Math.max(0, i - wanted.number("withPreviousMessages", 0).orElse(0));
                int to = (int) Math.min(
                        shown.size(),
                        i + 1L + wanted.number("withNextMessages", 0).orElse(0));
                shown.subList(from, to).forEach(each -> positions.add(each.position()));
            }
        }
    }

    /** Return a page that counts positions from the end of a long thread. */
    private Reply ofEnd(Call call, ThreadRecord thread, ListQuery.Page page) {
        int perPage = page.size().orElseThrow();
        long end = Math.max(0, thread.length() - (long) page.number() * perPage);
        int after = (int) Math.min(RESULTS, thread.length() - end); // results of the last calls of the page
        int wanted = Math.min(BATCH, perPage + after);
        List<ThreadMessage> all = end == 0 || wanted == 0
                ? List.of()
                : threads.of(call).messagesBefore(thread.owner(), thread.threadId(), end + after, wanted);
        List<ThreadMessage> found = threads.visible(
                call, thread, all.stream().filter(each -> each.position() < end).toList());
        return reply(call, thread, found, ThreadViews.results(all), page.fields(thread.length()));
    }

    private Reply reply(
            Call call,
            ThreadRecord thread,
            List<ThreadMessage> found,
            Map<String, Part.ToolResult> results,
            Map<String, Object> fields) {
        String id = threads.idOf(call, threads.note(call, thread));
        fields.put(
                "messages",
                found.stream()
                        .map(each -> ThreadViews.message(each, thread, id, results))
                        .toList());
        fields.put(
                "uiMessages",
                found.stream().map(each -> ThreadViews.uiMessage(each, results)).toList());
        return Reply.ok(fields);
    }

    /** Return the messages of a thread that a copy with options is to have: those that are wanted, and the results of their calls. */
    List<ThreadMessage> selected(Call call, ThreadRecord thread, Body options) {
        List<ThreadMessage> all = all(thread, call);
        Optional<Body> filter = options.object("messageFilter");
        List<String> ids = filter.map(it -> it.texts("messageIds")).orElse(List.of());
        Instant start = filter.flatMap(it -> ListQuery.time(it, "startDate")).orElse(Instant.MIN);
        Instant end = filter.flatMap(it -> ListQuery.time(it, "endDate")).orElse(Instant.MAX);
        List<ThreadMessage> wanted = all.stream()
                .filter(ThreadViews::isShown)
                .filter(each -> ids.isEmpty() || ids.contains(each.message().id()))
                .filter(each -> {
                    Instant at = each.at().orElse(Instant.EPOCH);
                    return !at.isBefore(start) && !at.isAfter(end);
                })
                .toList();
        int most = options.number("messageLimit", 0).orElse(wanted.size());
        List<ThreadMessage> newest = wanted.subList(Math.max(0, wanted.size() - most), wanted.size());
        Set<String> calls = newest.stream()
                .flatMap(each -> each.message().toolCalls().stream())
                .map(Part.ToolCall::callId)
                .collect(Collectors.toSet());
        return all.stream()
                .filter(each -> newest.contains(each)
                        || (each.role() == Role.TOOL
                                && each.message().toolResults().stream()
                                        .anyMatch(result -> calls.contains(result.callId()))))
                .toList();
    }
}
