package dev.chargehand.examples.tools;

import dev.chargehand.json.Description;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Tools: the record is the schema, the lambda does the work. */
public final class ToolsWithEffects {

    record Lookup(
            @Description("The customer's number") int customer,
            @Nullable Integer limit) {}

    record RowId(String id) {}

    private final Map<String, String> rows = new ConcurrentHashMap<>(Map.of("r1", "draft of customer 42"));
    private final Map<String, Boolean> done = new ConcurrentHashMap<>();

    /** Only looks: it may be executed again after a crash. */
    Tool findRows() {
        return Tool.builder("findRows", "Finds the rows of a customer.")
                .input(Lookup.class)
                .repeatable()
                .handler((in, context) -> rows)
                .build();
    }

    /** Has an effect: the idempotency key keeps a call that is executed again from doing it twice. */
    Tool deleteRow() {
        return Tool.builder("deleteRow", "Deletes a row by id.")
                .input(RowId.class)
                .repeatable()
                .timeout(Duration.ofSeconds(10))
                .handler((in, context) -> delete(in.id(), context.idempotencyKey()))
                .build();
    }

    private String delete(String id, String idempotencyKey) {
        if (done.putIfAbsent(idempotencyKey, true) == null && rows.remove(id) == null) {
            throw new ToolFailureException("There is no row " + id + "."); // the model is told
        }
        return "deleted";
    }
}
