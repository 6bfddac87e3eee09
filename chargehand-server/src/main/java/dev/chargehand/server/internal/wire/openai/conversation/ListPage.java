package dev.chargehand.server.internal.wire.openai.conversation;

import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The page of a list that a query asks for.
 *
 * @param after the id after which it starts
 * @param limit how many items it has at most
 * @param ascending whether the oldest item is the first
 */
public record ListPage(Optional<String> after, int limit, boolean ascending) {

    private static final int MOST = 100;
    private static final int DEFAULT = 20;

    /** Read what a query asks for. */
    public static ListPage of(Call call, String defaultOrder) {
        boolean ascending =
                switch (call.query("order").orElse(defaultOrder)) {
                    case "asc" -> true;
                    case "desc" -> false;
                    default -> throw wrong("order", "must be 'asc' or 'desc'");
                };
        String limit = call.query("limit").orElse(String.valueOf(DEFAULT));
        if (!limit.matches("[1-9][0-9]?|" + MOST)) {
            throw wrong("limit", "must be a whole number from 1 to " + MOST);
        }
        return new ListPage(call.query("after"), Integer.parseInt(limit), ascending);
    }

    /** Return the page of a whole list, whose oldest item is the first. */
    public Map<String, @Nullable Object> of(List<Map<String, @Nullable Object>> oldestFirst) {
        List<Map<String, @Nullable Object>> ordered = ascending ? oldestFirst : oldestFirst.reversed();
        int from = after.map(id -> place(ordered, id) + 1).orElse(0);
        return fields(ordered.subList(from, Math.min(ordered.size(), from + limit + 1)));
    }

    /** Return the page with what follows: one item more than the limit, if there is one. */
    public Map<String, @Nullable Object> fields(List<Map<String, @Nullable Object>> following) {
        List<Map<String, @Nullable Object>> data = following.subList(0, Math.min(limit, following.size()));
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("object", "list");
        fields.put("data", data);
        fields.put("first_id", data.isEmpty() ? "" : data.getFirst().get("id")); // clients require both
        fields.put("last_id", data.isEmpty() ? "" : data.getLast().get("id"));
        fields.put("has_more", following.size() > limit);
        return fields;
    }

    private static int place(List<Map<String, @Nullable Object>> items, String id) {
        for (int i = 0; i < items.size(); i++) {
            if (id.equals(items.get(i).get("id"))) {
                return i;
            }
        }
        throw unknownAfter();
    }

    /** Make the problem of a page that starts after what the list does not have. */
    public static ProblemException unknownAfter() {
        return wrong("after", "must be the id of an item of this list");
    }

    private static ProblemException wrong(String name, String rule) {
        return Problem.BAD_REQUEST
                .of("The parameter '" + name + "' " + rule + ".")
                .with("param", name);
    }
}
