package dev.chargehand.clients;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorers;
import dev.chargehand.error.ModelException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.RequestContext;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedEmbeddings;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The agents that clients call. Each always answers in the same way, so that scenarios share them. */
final class Crew {

    /** Scenarios execute it themselves, too. */
    static final Tool WEATHER = Tool.builder("weather", "Tells the weather.")
            .input(City.class)
            .handler((city, context) -> Map.of("sky", "blue", "city", city.city()))
            .build();

    record City(String city) {}

    record Greeted(int times) {}

    record Shape(int a) {}

    record Order(int amount) {}

    record Address(String street) {}

    record Accuracy(boolean precise) {}

    record Verdict(boolean accepted) {}

    private final Script script = ScriptedModel.script();

    AgentRuntime runtime() {
        script.on("writer").streams("One ", "two.").forever();
        script.on("thinker").reasons("Hm.").and().says("So.").forever();
        script.on("shaper").says("{\"a\":1}").forever();
        script.on("shaped").says("{\"a\":1}").forever();
        script.on("broken")
                .streams("Half ")
                .and()
                .failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "The key is wrong.", null))
                .forever();
        script.on("diary").says("Noted.").forever();
        script.on("reader").says("Read.").forever();
        script.on("observer").says("Seen.").forever();
        script.on("observing").says("- Ann says much.").forever();
        afterResult("porter", "It is lost.")
                .calls("carry", Map.of("city", "Rome"))
                .forever();
        script.on("judged").says("Short.").forever();
        script.on("slow").streams("Wait ").and().hangs().forever();
        afterResult("cook", "It is sunny.")
                .calls("weather", Map.of("city", "Rome"))
                .inPiecesOf(4)
                .forever();
        afterResult("clerk", "Paid.").calls("pay", Map.of("amount", 7)).forever();
        afterResult("form", "Sent.").calls("send", Map.of("city", "Rome")).forever();
        afterResult("twice", "Moved.").calls("move", Map.of("city", "Rome")).forever();
        for (String agent : List.of("helper", "guide")) {
            afterResult(agent, "You are there.")
                    .calls("locate", Map.of("precise", true))
                    .forever();
        }
        afterResult("officer", "Reviewed.")
                .calls("workflow-review", Map.of("amount", 7))
                .forever();
        script.on("scout")
                .calls("pay", Map.of("amount", 7))
                .and()
                .calls("locate", Map.of("precise", true))
                .when("it has the weather", request -> results(request) == 1)
                .forever()
                .then()
                .says("Done.")
                .when("all tools have answered", request -> results(request) > 1)
                .forever()
                .then()
                .calls("weather", Map.of("city", "Rome"))
                .forever();
        afterResult("lead", "All done.")
                .says("I ask.")
                .and()
                .delegates("writer", "Write.")
                .forever();
        afterResult("pair", "Both.")
                .calls("weather", Map.of("city", "Rome"))
                .and()
                .calls("weather", Map.of("city", "Oslo"))
                .forever();
        afterResult("boss", "All paid.").delegates("clerk", "Pay.").forever();
        routes("router", decision("writer", "agent", "Write."));
        routes("cashier", decision("pay", "tool", "{\"amount\":7}"));
        routes("desk", decision("clerk", "agent", "Pay."));
        routes("host", decision("none", "none", "Welcome."));
        routes("planner", decision("pricing", "workflow", "{\"amount\":7}"));
        Agent writer = agent("writer").description("Writes.").build();
        Agent clerk = agent("clerk").description("Pays.").tools(pay()).build();
        return AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .agents(
                        writer,
                        clerk,
                        agent("thinker").build(),
                        agent("shaper").build(),
                        agent("shaped")
                                .defaultOptions(options -> options.structuredOutput(Shape.class))
                                .build(),
                        agent("broken").build(),
                        agent("slow").build(),
                        agent("cook").tools(WEATHER).build(),
                        agent("pair").tools(WEATHER).build(),
                        agent("form").tools(send()).build(),
                        agent("twice").tools(move()).build(),
                        agent("lead").agents(writer).build(),
                        agent("boss").agents(clerk).build(),
                        agent("router").agents(writer).build(),
                        agent("cashier").tools(pay()).build(),
                        agent("desk").agents(clerk).build(),
                        agent("host").build(),
                        agent("planner").workflows(pricing()).build(),
                        agent("officer").workflows(review()).build(),
                        agent("judged")
                                .defaultOptions(options ->
                                        options.maxSteps(1).completion(Completion.all(Scorers.minLength(100))))
                                .build(),
                        agent("helper").acceptClientTools().build(),
                        agent("guide").tools(locate()).build(),
                        agent("scout").tools(WEATHER, pay(), locate()).build(),
                        agent("porter").tools(carry()).build(),
                        agent("reader")
                                .memory(memory -> memory.semanticRecall(recall -> recall.by(new ScriptedEmbeddings())))
                                .build(),
                        agent("observer")
                                .memory(memory ->
                                        memory.observations(observes -> observes.model(script.modelFor("observing"))
                                                .messageTokens(100)))
                                .build(),
                        agent("diary")
                                .memory(memory -> memory.workingMemory(WorkingMemory.template("# Notes")))
                                .build())
                .workflows(pricing(), review(), greeting(), audit())
                .wakeups(Wakeups.all())
                .anyoneMayApprove()
                .build();
    }

    private dev.chargehand.AgentBuilder agent(String id) {
        return Agent.builder(id).model(script.modelFor(id));
    }

    /** Decides in the same way in each step of a network, and then finds the task done. */
    private void routes(String agent, String decision) {
        script.on(agent)
                .says(Json.of(Map.of("isComplete", true, "completionReason", "Done.", "finalResult", ""))
                        .text())
                .when("it is asked whether the task is done", Crew::isCheck)
                .forever()
                .then()
                .says(decision)
                .forever();
    }

    private static boolean isCheck(ModelRequest request) {
        return request.output() != null && request.output().json().text().contains("isComplete");
    }

    private static String decision(String id, String type, String prompt) {
        return Json.of(Map.of(
                        "primitiveId", id, "primitiveType", type, "prompt", prompt, "selectionReason", "It fits."))
                .text();
    }

    private Script afterResult(String agent, String text) {
        return script.on(agent)
                .says(text)
                .when("a tool has answered", Crew::endsWithResult)
                .forever()
                .then();
    }

    private static long results(ModelRequest request) {
        return request.messages().stream()
                .filter(message -> message.role() == Role.TOOL)
                .count();
    }

    private static boolean endsWithResult(ModelRequest request) {
        return request.messages().getLast().role() == Role.TOOL;
    }

    private static Workflow<Order, Integer> pricing() {
        Step<Order, Integer> price =
                Step.of("price", Order.class, Integer.class, (order, context) -> order.amount() * 100);
        return Workflow.from("pricing", Order.class)
                .description("Prices an order.")
                .then(price)
                .build(Integer.class);
    }

    private static Workflow<Order, Boolean> review() {
        Step<Order, Boolean> ask =
                Step.of("ask", Order.class, Boolean.class, (order, context) -> context.resumeData(Verdict.class)
                        .map(Verdict::accepted)
                        .orElseGet(() -> context.suspend(Map.of("amount", order.amount()))));
        return Workflow.from("review", Order.class)
                .description("Asks a person.")
                .then(ask)
                .build(Boolean.class);
    }

    private static Workflow<Order, Boolean> audit() {
        return Workflow.from("audit", Order.class)
                .description("Asks a person in a workflow of its own.")
                .then(review())
                .sleep("rest", Duration.ofMillis(1))
                .build(Boolean.class);
    }

    private static Workflow<Order, String> greeting() {
        Step<Order, String> greet = Step.of("greet", Order.class, String.class, (order, context) -> {
            Greeted greeted = context.state(Greeted.class);
            context.updateState(Map.of("times", greeted.times() + 1));
            String tier = context.requestContext()
                    .get(RequestContext.Key.of("tier", String.class))
                    .orElse("none");
            return tier + " after " + greeted.times();
        });
        return Workflow.from("greeting", Order.class)
                .state(Greeted.class, new Greeted(0))
                .then(greet)
                .build(String.class);
    }

    private static Tool locate() {
        return Tool.external("locate", "Returns where the user is.", JsonSchema.of(Accuracy.class));
    }

    private static Tool pay() {
        return Tool.builder("pay", "Pays an order.")
                .input(Order.class)
                .requiresApproval()
                .handler((order, context) -> "paid " + order.amount())
                .build();
    }

    private static Tool carry() {
        return Tool.builder("carry", "Carries a case.")
                .input(City.class)
                .handler((city, context) -> {
                    throw new IllegalStateException("It is too heavy.");
                })
                .build();
    }

    /** Asks again after the first answer. */
    private static Tool move() {
        return Tool.builder("move", "Moves a parcel twice.")
                .input(City.class)
                .handler((city, context) -> context.providedData(Address.class)
                        .filter(address -> address.street().equals("Two"))
                        .<Object>map(address -> "sent to " + address.street())
                        .orElseGet(() -> context.suspend(Map.of("question", "Which street?"))))
                .build();
    }

    private static Tool send() {
        return Tool.builder("send", "Sends a parcel.")
                .input(City.class)
                .handler((city, context) -> context.providedData(Address.class)
                        .<Object>map(address -> "sent to " + address.street())
                        .orElseGet(() -> context.suspend(Map.of("question", "Which street?"))))
                .build();
    }
}
