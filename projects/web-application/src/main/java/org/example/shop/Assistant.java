package org.example.shop;

import dev.chargehand.Agent;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.tool.Tool;
import java.util.Map;

/** The agent of the shop, and its tools. */
final class Assistant {

    private static final String MODEL = "openai/gpt-5-mini";

    private static final Map<String, String> ORDERS = Map.of(
            "o-7", "a blue lamp, delivered on Monday, 49 EUR",
            "o-8", "a desk, on its way, 180 EUR");

    record Order(String order) {}

    private Assistant() {}

    static Agent agent() {
        Tool find = Tool.of(
                "find-order",
                "Returns what is known about an order.",
                Order.class,
                (in, context) -> ORDERS.getOrDefault(in.order(), "There is no order " + in.order() + "."));
        Tool refund = Tool.builder("refund", "Refunds an order.")
                .input(Order.class)
                .requiresApproval()
                .handler((in, context) -> "Refunded " + in.order() + ".") // the call of your payment service
                .build();
        return Agent.builder("assistant")
                .description("Helps customers of the shop.")
                .instructions("Help a customer of a shop. Look an order up before you speak of it or refund it."
                        + " If a refund is declined, give the customer the reason.")
                .model(hasKey() ? ModelChoice.of(MODEL) : ModelChoice.of(new OfflineModel()))
                .tools(find, refund)
                .build();
    }

    /** Return which model answers, for the screen. */
    static String description() {
        return hasKey()
                ? "The assistant uses " + MODEL + "."
                : "OPENAI_API_KEY is not set: a few rules replace the model. They know orders o-7 and o-8.";
    }

    private static boolean hasKey() {
        return System.getenv("OPENAI_API_KEY") != null;
    }
}
