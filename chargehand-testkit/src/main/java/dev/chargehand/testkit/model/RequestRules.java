package dev.chargehand.testkit.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.ModelException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What of a request reaches the provider. */
interface RequestRules extends HasModel {

    /** The smallest picture there is. */
    String PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

    /** What the libraries' own forms of a schema would lose. */
    JsonSchema STRICT = JsonSchema.of(Json.parse(
            "{\"type\":\"object\",\"properties\":{\"city\":{\"$ref\":\"#/$defs/City\"},\"days\":{\"type\":\"integer\","
                    + "\"minimum\":1}},\"required\":[\"city\"],\"additionalProperties\":false,\"$defs\":{\"City\":{"
                    + "\"type\":\"string\",\"pattern\":\"^[A-Z]\"}}}"));

    ToolDefinition WEATHER = new ToolDefinition("weather", "Tells the weather of a city.", STRICT);
    ToolDefinition CLOCK = new ToolDefinition(
            "clock", "Tells the time.", JsonSchema.of(Json.parse("{\"type\":\"object\",\"properties\":{}}")));

    private ReceivedRequest sent(ModelRequest request) throws InterruptedException {
        ask(theWire().reply(WireAnswer.text("ok")), request);
        return sent();
    }

    private static ModelRequest with(ToolChoice choice, ToolDefinition... tools) {
        return new ModelRequest(
                List.of(Message.system("Be kind."), Message.user("Hi")), List.of(tools), choice, ModelSettings.DEFAULT);
    }

    @Test
    default void instructionsAndTheUsersWordsAreSent() throws InterruptedException {
        ReceivedRequest sent = sent(HasModel.request(Message.system("Be kind."), Message.user(AnswerRules.ODD)));

        assertEquals("Be kind.", theWire().instructions(sent));
        assertTrue(strings(sent).contains(AnswerRules.ODD));
    }

    @Test
    default void theKeyIsInAHeaderAndNowhereElse() throws InterruptedException {
        ReceivedRequest sent = sent(HasModel.request(Message.user("Hi")));

        assertFalse(sent.body().contains(KEY));
        assertFalse(sent.path().contains(KEY));
        assertTrue(sent.headers().toString().contains(KEY));
        assertEquals(Set.of(KEY), theModel().secrets());
    }

    @Test
    default void aPictureIsSentWithItsBytes() throws InterruptedException {
        if (can(Capability.IMAGES)) {
            ReceivedRequest sent = sent(HasModel.request(Message.of(
                    Role.USER,
                    new Part.Text("What is this?"),
                    new Part.Image("image/png", "data:image/png;base64," + PIXEL))));

            assertTrue(sent.body().contains(PIXEL));
            assertTrue(strings(sent).contains("What is this?"));
        }
    }

    @Test
    default void aPictureByItsAddressIsSentSoOrRefusedButNeverFetched() throws InterruptedException {
        ModelRequest request = HasModel.request(Message.of(
                Role.USER,
                new Part.Text("What is this?"),
                new Part.Image("image/png", "https://127.0.0.1:" + theProvider().port() + "/a.png")));
        if (can(Capability.IMAGE_URLS)) {
            assertTrue(sent(request).body().contains("/a.png"));
        } else {
            ModelException e =
                    assertThrows(ModelException.class, () -> theModel().ask(request, new CallRecord()));
            assertEquals(ModelException.Kind.INVALID_REQUEST, e.kind());
            assertTrue(e.getMessage().contains("data:"), "it says what can be sent: " + e.getMessage());
            assertEquals(0, theProvider().requestCount());
        }
    }

    @Test
    default void aToolIsOfferedWithItsWholeSchema() throws InterruptedException {
        ReceivedRequest sent = sent(with(ToolChoice.auto(), WEATHER, CLOCK));

        assertTrue(strings(sent).contains("Tells the weather of a city."));
        assertTrue(strings(sent).contains("clock"));
        assertTrue(
                Texts.MAPPER.readTree(sent.body()).findValues("required").contains(Texts.MAPPER.readTree("[\"city\"]")),
                "what is required");
        String schema = Texts.MAPPER.readTree(STRICT.json().text()).toString();
        assertTrue(
                Texts.MAPPER.readTree(sent.body()).toString().contains(schema), "the schema, word for word: " + schema);
    }

    @Test
    default void aToolIsDemandedOrForbidden() throws InterruptedException {
        String free = sent(with(ToolChoice.auto(), WEATHER, CLOCK)).body();
        if (can(Capability.TOOL_CHOICE)) {
            assertNotEquals(
                    free, sent(with(ToolChoice.required(), WEATHER, CLOCK)).body());
            String demanded =
                    sent(with(ToolChoice.tool("clock"), WEATHER, CLOCK)).body();
            assertEquals(count(free, "\"clock\"") + 1, count(demanded, "\"clock\""));
        }
        assertFalse(sent(with(ToolChoice.none(), WEATHER, CLOCK)).body().contains("Tells the time."));
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    @Test
    default void settingsAreSent() throws InterruptedException {
        ModelSettings settings = ModelSettings.DEFAULT
                .temperature(0.25)
                .maxOutputTokens(1234)
                .stopSequences(List.of("THE END"))
                .seed(4711);
        ReceivedRequest sent =
                sent(new ModelRequest(List.of(Message.user("Hi")), List.of(), ToolChoice.auto(), settings));

        assertTrue(sent.body().contains("0.25"));
        assertTrue(sent.body().contains("1234"));
        assertTrue(strings(sent).contains("THE END"));
        assertEquals(can(Capability.SEED), sent.body().contains("4711"));
    }

    @Test
    default void aSchemaOfTheAnswerIsSentByAModelThatSaysSo() throws InterruptedException {
        assertEquals(can(Capability.RESPONSE_FORMAT), theModel().hasFormatFor(STRICT));
        ModelRequest request = new ModelRequest(
                List.of(Message.user("Hi")), List.of(), ToolChoice.auto(), ModelSettings.DEFAULT, STRICT);

        assertEquals(can(Capability.RESPONSE_FORMAT), sent(request).body().contains("#/$defs/City"));
    }

    @Test
    default void aSchemaOfTheAnswerIsSentOrToldAlsoBesideTools() throws InterruptedException {
        if (can(Capability.RESPONSE_FORMAT)) {
            ModelRequest request = new ModelRequest(
                    List.of(Message.user("Hi")), List.of(CLOCK), ToolChoice.auto(), ModelSettings.DEFAULT, STRICT);

            assertTrue(sent(request).body().contains("#/$defs/City"));
        }
    }

    /** Return all texts of a request's body, one below the other. */
    private static String strings(ReceivedRequest sent) {
        StringBuilder all = new StringBuilder();
        collect(Texts.MAPPER.readTree(sent.body()), all);
        return all.toString();
    }

    private static void collect(JsonNode node, StringBuilder all) {
        if (node.isString()) {
            all.append(node.stringValue()).append('\n');
        }
        node.forEach(child -> collect(child, all));
    }
}
