package dev.chargehand.examples.workflow;

import dev.chargehand.AgentRuntime;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Outcome;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** An order that is checked, reserved and priced, paid and sent, in an order that no model decides: a workflow. */
public final class OrderWorkflow {

    record Order(String customer, List<String> items) {}

    record Quote(String reservation, int cents) {}

    record Payment(String method, int cents, boolean settled) {}

    record Receipt(String message, int cents, List<String> notSent) {}

    /** The systems that the steps call. The carrier is out of order at the first call for each item, and never takes a piano. */
    static final class Shop {

        private final Set<String> asked = ConcurrentHashMap.newKeySet();

        String reserve(Order order, String key) {
            return "reservation of " + order.items().size() + " items";
        }

        int price(Order order) {
            return order.items().stream()
                    .mapToInt(item -> item.equals("piano") ? 250_000 : 1_900)
                    .sum();
        }

        boolean isSettled(Payment payment, int look) {
            return look >= 3;
        }

        String send(String item, String key) {
            if (item.equals("piano") || asked.add(item)) {
                throw new IllegalStateException("The carrier does not answer.");
            }
            return item + " is on its way";
        }
    }

    private OrderWorkflow() {}

    /** Run it; it needs no model. */
    public static void main(String[] arguments) {
        Workflow<Order, Receipt> ordering = workflow(new Shop());
        try (AgentRuntime runtime = AgentRuntime.builder().workflows(ordering).build()) {
            for (Order order : List.of(
                    new Order("Ann", List.of("cup", "lamp")),
                    new Order("Bob", List.of("piano", "stool")),
                    new Order("Cid", List.of()))) {
                WorkflowResult<Receipt> result = runtime.run(ordering, order, o -> o.addListener(OrderWorkflow::print));
                System.out.println(result.output() + " " + result.stopReason() + " " + result.state());
            }
        }
    }

    static Workflow<Order, Receipt> workflow(Shop shop) {
        Step<Order, Order> check = Step.of(
                "check",
                Order.class,
                Order.class,
                (order, context) -> order.items().isEmpty()
                        ? context.bail(new Receipt("Nothing was ordered.", 0, List.of()))
                        : order);
        Step<Order, String> reserve = Step.of(
                        "reserve",
                        Order.class,
                        String.class,
                        (order, context) -> shop.reserve(order, context.idempotencyKey()))
                .repeatable()
                .timeout(Duration.ofSeconds(20));
        Step<Order, Integer> price = Step.of("price", Order.class, Integer.class, (order, context) -> shop.price(order))
                .repeatable();
        Step<Quote, Payment> byCard = Step.of(
                "pay-by-card",
                Quote.class,
                Payment.class,
                (quote, context) -> new Payment("card", quote.cents(), false));
        Step<Quote, Payment> byInvoice = Step.of(
                "pay-by-invoice",
                Quote.class,
                Payment.class,
                (quote, context) -> new Payment("invoice", quote.cents(), false));
        Step<Payment, Payment> poll = Step.of("poll", Payment.class, Payment.class, (payment, context) -> {
                    boolean settled = shop.isSettled(payment, context.iteration());
                    return new Payment(payment.method(), payment.cents(), settled);
                })
                .repeatable();
        Step<String, String> send = Step.of("send", String.class, String.class, (item, context) -> {
                    context.updateState(Map.of("sent", Map.of(item, true)));
                    return shop.send(item, context.idempotencyKey());
                })
                .repeatable()
                .retries(2, Backoff.exponential(Duration.ofMillis(20)));

        return Workflow.from("ordering", Order.class)
                .description("Checks, reserves and prices an order, has it paid, and sends it.")
                .then(check)
                .parallel(reserve, price)
                .map("quote", Quote.class, (out, context) -> new Quote(out.get(reserve), out.get(price)))
                .branch(Branch.when("large", (quote, context) -> quote.cents() > 100_000, byInvoice)
                        .otherwise(byCard))
                .doUntil(poll, (payment, context) -> payment.settled(), Repeat.atMost(10))
                .foreach(
                        "parcels",
                        (payment, context) -> context.input(Order.class).items(),
                        send,
                        Each.concurrency(2).collect())
                .map("receipt", Receipt.class, (parcels, context) -> {
                    Payment paid = context.output(poll).orElseThrow();
                    List<String> items = context.input(Order.class).items();
                    return new Receipt("Paid by " + paid.method() + ".", paid.cents(), notSent(items, parcels));
                })
                .build(Receipt.class);
    }

    /** The outcomes are in the order of the items. */
    private static List<String> notSent(List<String> items, List<Outcome<String>> parcels) {
        return IntStream.range(0, items.size())
                .filter(i -> parcels.get(i) instanceof Outcome.Failure)
                .mapToObj(items::get)
                .toList();
    }

    private static void print(RunEvent event) {
        switch (event) {
            case WorkflowEvent.WorkflowStepRetry r -> System.out.println("  " + r.stepPath() + " again: " + r.error());
            case WorkflowEvent.WorkflowStepSkipped s -> System.out.println("  not " + s.steps());
            case WorkflowEvent.WorkflowStepResult r ->
                System.out.println("  " + r.stepPath() + " " + (r.error() == null ? r.output() : r.error()));
            default -> {}
        }
    }
}
