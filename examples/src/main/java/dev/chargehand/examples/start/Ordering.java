package dev.chargehand.examples.start;

import dev.chargehand.AgentRuntime;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;

/** A workflow of two steps; it needs no model. */
public final class Ordering {

    record Order(String item, int count) {}

    private Ordering() {}

    static Workflow<Order, String> workflow() {
        Step<Order, Integer> price =
                Step.of("price", Order.class, Integer.class, (order, context) -> 250 * order.count());
        Step<Integer, String> pay =
                Step.of("pay", Integer.class, String.class, (cents, context) -> "Paid " + cents + " cents");
        return Workflow.from("ordering", Order.class).then(price).then(pay).build(String.class);
    }

    public static void main(String[] arguments) {
        Workflow<Order, String> ordering = workflow();
        try (AgentRuntime runtime = AgentRuntime.builder().workflows(ordering).build()) {
            WorkflowResult<String> result = runtime.run(ordering, new Order("cup", 2), o -> {});
            System.out.println(result.output());
        }
    }
}
