package dev.chargehand.examples.tools;

import dev.chargehand.Agent;
import dev.chargehand.json.Description;
import dev.chargehand.tool.AgentTool;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.tool.ToolFailureException;
import dev.chargehand.tool.Tools;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Tools that are methods of a service. */
public final class OrderTools {

    /** A service of an application. */
    public static final class Orders {

        private final Map<String, String> orders = new ConcurrentHashMap<>(Map.of("A-1", "open", "A-2", "shipped"));
        private final Map<String, String> done = new ConcurrentHashMap<>();

        @AgentTool(description = "Finds orders by their state.", repeatable = true)
        List<String> findOrders(
                @Description("open or shipped; without it, all orders") Optional<String> state,
                @Description("How many orders at most") @Min(1) @Max(50) int limit) {
            return orders.entrySet().stream()
                    .filter(order -> state.isEmpty() || state.get().equals(order.getValue()))
                    .map(Map.Entry::getKey)
                    .sorted()
                    .limit(limit)
                    .toList();
        }

        @AgentTool(description = "Cancels an order.", requiresApproval = true, repeatable = true, timeoutSeconds = 10)
        String cancelOrder(@Pattern(regexp = "[A-Z]-[0-9]+") String order, ToolContext context) {
            return done.computeIfAbsent(context.idempotencyKey(), key -> cancel(order));
        }

        private String cancel(String order) {
            if (!orders.replace(order, "open", "cancelled")) {
                throw new ToolFailureException("Order " + order + " is not open."); // the model receives the message
            }
            return "cancelled";
        }
    }

    public Agent clerk(Orders orders) {
        return Agent.builder("clerk")
                .description("Answers questions about orders and cancels them.")
                .model("openai/gpt-5-mini")
                .tools(Tools.of(orders))
                .build();
    }
}
