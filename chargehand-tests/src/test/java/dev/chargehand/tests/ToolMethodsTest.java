package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Description;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.AgentTool;
import dev.chargehand.tool.InterruptedCallPolicy;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.tool.ToolFailureException;
import dev.chargehand.tool.Tools;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Annotated methods as tools: their schemas, their calls, and declarations that are rejected. */
@SuppressWarnings({"UnusedMethod", "UnusedVariable", "NullablePrimitive", "DoNotCallSuggester"}) // called by reflection
class ToolMethodsTest extends ToolsFixture {

    record Item(String sku, int count) {
        Item {
            if (count < 1) {
                throw new ToolFailureException("count must be at least 1");
            }
        }
    }

    /** A service with tools of every kind. */
    static final class Shop {

        @AgentTool(description = "Finds orders.")
        List<String> findOrders(
                @Description("Number of the customer") int customer,
                @Nullable LocalDate since,
                @Description("How many at most") Optional<Integer> limit) {
            return List.of(customer + " since " + since + " at most " + limit);
        }

        @AgentTool(name = "buy", description = "Buys items.")
        private String order(List<Item> items, ToolContext context, Map<String, Integer> prices) {
            return items.size() + " of " + items.getFirst().sku() + " for " + prices + " in step " + context.step();
        }

        @AgentTool(description = "Forgets the basket.")
        void clear() {}

        @AgentTool(description = "Cancels an order.")
        static String cancel(String order) {
            throw order.isEmpty()
                    ? new ToolFailureException("The order needs a number.")
                    : new IllegalStateException("secret of " + order);
        }

        String notATool() {
            return "never";
        }
    }

    private static Tool tool(Object object, String name) {
        return Tools.of(object).stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyAnnotatedMethodIsATool() {
        assertThat(Tools.of(new Shop())).extracting(Tool::name).containsExactly("cancel", "clear", "findOrders", "buy");
    }

    @Test
    void parametersAreTheSchema() {
        assertThat(tool(new Shop(), "findOrders").input().json().canonical())
                .isEqualTo(Json.parse("""
                        {"type": "object",
                         "properties": {
                           "customer": {"type": "integer", "description": "Number of the customer"},
                           "since": {"type": "string", "format": "date"},
                           "limit": {"type": "integer", "description": "How many at most"}},
                         "required": ["customer"]}
                        """).canonical());
    }

    @Test
    void aTypeThatTwoParametersNameIsDefinedOnce() {
        class Routes {
            @AgentTool(description = "Finds a route.")
            String route(Item from, Item to) {
                return from.sku() + "-" + to.sku();
            }
        }
        Tool tool = tool(new Routes(), "route");
        assertThat(tool.input().json().at("/$defs").orElseThrow().fields()).hasSize(1);
        assertThat(shown(tool, "{\"from\":{\"sku\":\"a\",\"count\":1},\"to\":{\"sku\":\"b\",\"count\":2}}"))
                .contains("a-b");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"customer":7}                                     | 7 since null at most Optional.empty
            {"customer":7,"since":"2026-01-31","limit":3}      | 7 since 2026-01-31 at most Optional[3]
            {"customer":"seven"}                               | /customer
            {"limit":3}                                        | required
            {"customer":7,"since":"yesterday"}                 | Argument 'since': The value is not valid; it must be a date
            """)
    void argumentsReachTheirParameters(String arguments, String seen) {
        assertThat(shown(tool(new Shop(), "findOrders"), arguments)).contains(seen);
    }

    @Test
    void theContextIsPassedAndNotInTheSchema() {
        Tool buy = tool(new Shop(), "buy");
        assertThat(buy.input().json().at("/properties").orElseThrow().fields()).containsOnlyKeys("items", "prices");
        assertThat(shown(buy, "{\"items\":[{\"sku\":\"pen\",\"count\":2}],\"prices\":{\"pen\":3}}"))
                .contains("1 of pen for {pen=3} in step 1");
    }

    @Test
    void aConstructorOfAnArgumentStatesItsReason() {
        assertThat(shown(tool(new Shop(), "buy"), "{\"items\":[{\"sku\":\"pen\",\"count\":0}],\"prices\":{}}"))
                .contains("count must be at least 1");
    }

    @Test
    void aMethodWithoutParametersAndResultIsATool() {
        assertThat(shown(tool(new Shop(), "clear"), "{}")).contains("null");
    }

    @Test
    void exceptionsAreThoseOfATool() {
        Tool cancel = tool(new Shop(), "cancel");
        assertThat(shown(cancel, "{\"order\":\"\"}")).contains("The order needs a number.");
        assertThat(shown(cancel, "{\"order\":\"o1\"}"))
                .contains("Tool 'cancel' failed (error ")
                .doesNotContain("secret");
    }

    static final class Careful {
        record Question(String text) {}

        record Answer(String word) {}

        @AgentTool(
                name = "pay_now",
                description = "Pays.",
                requiresApproval = true,
                repeatable = true,
                polling = true,
                exposeErrors = true,
                timeoutSeconds = 5,
                onInterruption = InterruptedCallPolicy.PARK,
                output = Answer.class,
                suspendPayload = Question.class,
                providedData = Answer.class)
        Answer pay() {
            return new Answer("paid");
        }

        @AgentTool(description = "Only looks.")
        Answer look() {
            return new Answer("seen");
        }
    }

    @Test
    void attributesAreTheOptionsOfTheBuilder() {
        Tool pay = tool(new Careful(), "pay_now");
        assertThat(pay.approval()).isPresent();
        assertThat(pay.repeatable()).isTrue();
        assertThat(pay.polling()).isTrue();
        assertThat(pay.exposeErrors()).isTrue();
        assertThat(pay.timeout()).contains(Duration.ofSeconds(5));
        assertThat(pay.interruption()).isEqualTo(InterruptedCallPolicy.PARK);
        assertThat(pay.output().orElseThrow().json().text()).contains("word");
        assertThat(pay.suspendPayload().orElseThrow().json().text()).contains("text");
        assertThat(pay.providedData().orElseThrow().json().text()).contains("word");
        try (TestRuntime test = TestRuntime.with(Scripts.on("solo").callsRaw("pay_now", "{}"))) {
            assertThat(test.bind(Crew.solo(pay)).generate("Pay").status()).isEqualTo(RunStatus.SUSPENDED);
        }

        Tool look = tool(new Careful(), "look");
        assertThat(look.approval()).isEmpty();
        assertThat(look.repeatable() || look.polling() || look.exposeErrors()).isFalse();
        assertThat(look.timeout()).isEmpty();
        assertThat(look.interruption()).isEqualTo(InterruptedCallPolicy.REPORT);
        assertThat(look.output()).isEmpty();
        assertThat(look.suspendPayload()).isEmpty();
    }

    interface Greeter {
        @AgentTool(description = "Greets.")
        String greet(String name);
    }

    static class Polite implements Greeter {
        @Override
        public String greet(String name) {
            return "Dear " + name;
        }
    }

    static final class Loud extends Polite {
        @Override
        @AgentTool(name = "shout", description = "Shouts.")
        public String greet(String name) {
            return "HEY " + name;
        }
    }

    @Test
    void annotationsOfOverriddenMethodsCount() {
        assertThat(shown(tool(new Polite(), "greet"), "{\"name\":\"Ann\"}")).contains("Dear Ann");
        assertThat(Tools.of(new Loud())).singleElement().satisfies(shout -> assertThat(
                        shown(shout, "{\"name\":\"Ann\"}"))
                .contains("HEY Ann"));
        Object proxy = Proxy.newProxyInstance(
                Greeter.class.getClassLoader(),
                new Class<?>[] {Greeter.class},
                (self, method, arguments) -> "by proxy");
        assertThat(shown(tool(proxy, "greet"), "{\"name\":\"Ann\"}")).contains("by proxy");
    }

    static List<Object[]> rejected() {
        class None {}
        class Twice {
            @AgentTool(name = "x", description = "One.")
            void one() {}

            @AgentTool(name = "x", description = "Two.")
            void two() {}
        }
        class Unnamed {
            @AgentTool(name = "no name", description = "Does.")
            void act() {}
        }
        class Blank {
            @AgentTool(description = " ")
            void act() {}
        }
        class Contexts {
            @AgentTool(description = "Does.")
            void act(ToolContext one, ToolContext two) {}
        }
        class Variable {
            @AgentTool(description = "Does.")
            <T> void act(List<T> things) {}
        }
        class NullableInt {
            @AgentTool(description = "Does.")
            void act(@Nullable int n) {}
        }
        class HalfSuspended {
            @AgentTool(description = "Does.", providedData = Item.class)
            void act() {}
        }
        class Hasty {
            @AgentTool(description = "Does.", timeoutSeconds = -1)
            void act() {}
        }
        return List.of(
                new Object[] {new None(), "None: no method has @AgentTool"},
                new Object[] {new Twice(), "one() and"},
                new Object[] {new Twice(), "two() have the same tool name 'x'"},
                new Object[] {new Unnamed(), "Unnamed.act(): Tool 'no name': a name has 1 to 64 letters"},
                new Object[] {new Blank(), "Blank.act(): Tool 'act' needs a description"},
                new Object[] {new Contexts(), "Contexts.act(ToolContext, ToolContext): at most one"},
                new Object[] {new Variable(), "Variable.act(List): the type java.util.List<T> of parameter 'things'"},
                new Object[] {new NullableInt(), "parameter 'n' is a @Nullable int"},
                new Object[] {new HalfSuspended(), "suspendPayload is missing"},
                new Object[] {new Hasty(), "Hasty.act(): Tool 'act': the time limit must be above zero"},
                new Object[] {Shop.class, "Tools.of needs an instance of"});
    }

    @ParameterizedTest
    @MethodSource("rejected")
    void aDeclarationThatCannotBeAToolIsRejected(Object object, String message) {
        Steps.assertMisconfigured(() -> Tools.of(object), message);
    }

    @Test
    void anObjectIsNeeded() {
        assertThatThrownBy(() -> Tools.of(null)).isInstanceOf(ConfigurationException.class);
    }
}
