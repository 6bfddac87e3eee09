package dev.chargehand.tests;

import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A workflow with every kind of entry, and what its code was asked. */
final class Ordering {

    record Order(String item, int count) {}

    record Stock(int left) {}

    record Price(int cents) {}

    record Quote(String item, int cents) {}

    record Paid(int cents, int rounds) {}

    record Receipt(List<String> mails, int cents) {}

    /** What was asked, such as {@code check} or {@code notify 1}. */
    final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();

    final Step<Order, Stock> check = Step.of("check", Order.class, Stock.class, (order, context) -> {
                asked.add("check");
                context.updateState(Map.of("checked", order.item()));
                return new Stock(10 - order.count());
            })
            .repeatable();

    final Step<Stock, String> reserve = Step.of("reserve", Stock.class, String.class, (stock, context) -> {
                asked.add("reserve");
                context.updateState(Map.of("reserved", stock.left()));
                return "reserved";
            })
            .repeatable();

    final Step<Stock, Price> price = Step.of("price", Stock.class, Price.class, (stock, context) -> {
                asked.add("price");
                context.updateState(Map.of("priced", true));
                return new Price(100 * stock.left());
            })
            .repeatable();

    final Step<Quote, Paid> payLarge = Step.of("pay-large", Quote.class, Paid.class, (quote, context) -> {
                asked.add("pay-large");
                return new Paid(quote.cents(), 0);
            })
            .repeatable();

    final Step<Quote, Paid> paySmall = Step.of("pay-small", Quote.class, Paid.class, (quote, context) -> {
                asked.add("pay-small");
                return new Paid(quote.cents(), 0);
            })
            .repeatable();

    final Step<Paid, Paid> poll = Step.of("poll", Paid.class, Paid.class, (paid, context) -> {
                asked.add("poll " + context.iteration());
                return new Paid(paid.cents(), paid.rounds() + 1);
            })
            .repeatable();

    final Step<String, String> mail = Step.of("mail", String.class, String.class, (who, context) -> {
                asked.add("mail " + context.item().orElseThrow());
                return "mailed " + who;
            })
            .repeatable()
            .retries(1, Backoff.fixed(Duration.ofMillis(1)));

    final Workflow<Order, Receipt> workflow = Workflow.from("ordering", Order.class)
            .version("2")
            .then(check)
            .parallel(reserve, price)
            .map("join", Quote.class, (outputs, context) -> {
                asked.add("join");
                return new Quote(
                        context.input(Order.class).item(), outputs.get(price).cents());
            })
            .branch(Branch.when("large", this::isLarge, payLarge).otherwise(paySmall))
            .doUntil(poll, (paid, context) -> paid.rounds() >= 3, Repeat.atMost(5))
            .foreach("notify", (paid, context) -> List.of("ann", "bob", "cid"), mail, Each.concurrency(2))
            .map(
                    "receipt",
                    Receipt.class,
                    (mails, context) -> new Receipt(
                            mails, context.output(poll).orElseThrow().cents()))
            .build(Receipt.class);

    private boolean isLarge(Quote quote, Object context) {
        asked.add("large?");
        return quote.cents() > 500;
    }
}
