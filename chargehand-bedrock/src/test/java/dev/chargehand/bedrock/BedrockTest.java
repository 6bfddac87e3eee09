package dev.chargehand.bedrock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.model.ModelWire;
import dev.chargehand.testkit.model.WireAnswer;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** What only Bedrock does: who may ask, where, and frames instead of lines. */
class BedrockTest {

    private static final String CLAUDE = "bedrock/anthropic.claude-3-7-sonnet-20250219-v1:0";
    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG";
    private static final ToolDefinition LOOK =
            new ToolDefinition("look", "Looks.", JsonSchema.of(Json.parse("{\"type\":\"object\",\"properties\":{}}")));

    private final LoopbackProvider server = LoopbackProvider.start();
    private final ModelWire wire = ModelWire.bedrock();
    private BedrockProvider provider = with(Map.of("AWS_BEARER_TOKEN_BEDROCK", "key-1"));

    private BedrockProvider with(Map<String, String> environment) {
        return BedrockProvider.builder()
                .baseUrl(wire.baseUrl(server))
                .environment(environment::get)
                .build();
    }

    private BedrockProvider signing() {
        return BedrockProvider.builder()
                .baseUrl(wire.baseUrl(server))
                .credentials(StaticCredentialsProvider.create(
                        AwsSessionCredentials.create("AKIDEXAMPLE", SECRET, "the-session-token")))
                .region("eu-central-1")
                .build();
    }

    @AfterEach
    void close() {
        provider.close();
        server.close();
    }

    private ModelResponse ask(String name, ModelRequest request) throws InterruptedException {
        return provider.find(name).orElseThrow().ask(request, new Ignored());
    }

    private ModelResponse ask(String name) throws InterruptedException {
        return ask(
                name,
                new ModelRequest(List.of(Message.user("Hi")), List.of(), ToolChoice.auto(), ModelSettings.DEFAULT));
    }

    private ReceivedRequest sent() {
        ReceivedRequest request = server.log().getLast().request();
        assertThat(wire.problems(request)).isEmpty();
        return request;
    }

    private String sent(String pointer) {
        return Json.parse(sent().body()).at(pointer).map(Json::text).orElse("nothing");
    }

    @Test
    void itIsFoundOnTheClassPath() {
        assertThat(ServiceLoader.load(ModelProvider.class))
                .anySatisfy(found -> assertThat(found.names()).containsExactly("bedrock"));
    }

    @Test
    void anApiKeyIsSentAndIsASecret() throws InterruptedException {
        server.enqueue(wire.reply(WireAnswer.text("ok")));
        ask(CLAUDE);
        assertThat(sent().header("authorization")).contains("Bearer key-1");
        assertThat(provider.find(CLAUDE).orElseThrow().secrets()).containsExactly("key-1");
    }

    @Test
    void credentialsSignWhatIsReallySent() throws Exception {
        provider = signing();
        server.enqueue(wire.reply(WireAnswer.text("ok")));
        ask(CLAUDE);

        ReceivedRequest request = sent();
        assertThat(request.path()).isEqualTo("/model/anthropic.claude-3-7-sonnet-20250219-v1%3A0/converse-stream");
        assertThat(request.header("x-amz-security-token")).contains("the-session-token");
        String authorization = request.header("authorization").orElseThrow();
        assertThat(authorization)
                .startsWith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/")
                .contains("/eu-central-1/bedrock/aws4_request")
                .endsWith("Signature=" + signature(request, authorization));
        assertThat(provider.find(CLAUDE).orElseThrow().secrets()).containsExactly(SECRET, "the-session-token");
    }

    /** Signs a request as it was received, by AWS' own description of the algorithm. */
    private static String signature(ReceivedRequest request, String authorization) throws GeneralSecurityException {
        String names = authorization.replaceFirst(".*SignedHeaders=([^,]*),.*", "$1");
        StringBuilder canonical = new StringBuilder("POST\n")
                .append(request.path().replace("%", "%25"))
                .append("\n\n");
        for (String name : names.split(";", -1)) {
            canonical
                    .append(name)
                    .append(':')
                    .append(request.header(name).orElseThrow().strip())
                    .append('\n');
        }
        canonical.append('\n').append(names).append('\n').append(hash(request.body()));
        String time = request.header("x-amz-date").orElseThrow();
        String day = time.substring(0, 8);
        String scope = day + "/eu-central-1/bedrock/aws4_request";
        String toSign = "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + hash(canonical.toString());
        byte[] key = ("AWS4" + SECRET).getBytes(StandardCharsets.UTF_8);
        for (String part : List.of(day, "eu-central-1", "bedrock", "aws4_request", toSign)) {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            key = mac.doFinal(part.getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(key);
    }

    private static String hash(String text) throws GeneralSecurityException {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void anArnStaysOnePartOfTheAddress() throws InterruptedException {
        server.enqueue(wire.reply(WireAnswer.text("ok")));
        ask("bedrock/arn:aws:bedrock:eu-central-1:1234:inference-profile/eu.anthropic.claude-sonnet-4-5-20250929-v1:0");
        assertThat(sent().path()).contains("inference-profile%2Feu.anthropic").endsWith("/converse-stream");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bedrock/a?b", "bedrock/a b", "bedrock/a%2Fb", "bedrock/../x", "bedrock/a#b"})
    void namesThatNoModelHasAreRefused(String name) {
        assertThatThrownBy(() -> provider.find(name))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(name);
    }

    @Test
    void whereThereIsNoRegionItSaysWhatToSet() {
        provider.close();
        provider = BedrockProvider.builder()
                .environment(Map.of("AWS_BEARER_TOKEN_BEDROCK", "k", "AWS_REGION", "nowhere!")::get)
                .build();
        ModelException e = catchThrowableOfType(ModelException.class, () -> ask(CLAUDE));
        assertThat(e).hasMessageContaining("AWS region").hasMessageNotContaining("nowhere!");
    }

    @ParameterizedTest
    @CsvSource({
        "throttlingException, RATE_LIMIT, true",
        "serviceUnavailableException, OVERLOADED, true",
        "internalServerException, OVERLOADED, true",
        "modelStreamErrorException, OVERLOADED, true",
        "validationException, INVALID_REQUEST, false",
        "accessDeniedException, AUTHENTICATION, false",
        "somethingNewException, OVERLOADED, true"
    })
    void anExceptionInTheStreamIsWhatItSaysAndItsWordsStayApart(
            String type, ModelException.Kind kind, boolean retryable) {
        server.enqueue(wire.reply(List.of(wire.event("{\"__type\":\"" + type + "\",\"message\":\"Dear diary\"}"))));
        ModelException e = catchThrowableOfType(ModelException.class, () -> ask(CLAUDE));
        assertThat(e.kind()).isEqualTo(kind);
        assertThat(e.retryable()).isEqualTo(retryable);
        assertThat(e).hasMessageContaining(type);
        assertThat(e.providerMessage()).contains("Dear diary");
        assertThat(e.publicMessage()).doesNotContain("diary");
    }

    @Test
    void aFrameWhoseChecksumIsWrongIsNoEvent() {
        List<byte[]> events = wire.events(WireAnswer.text("Once upon a time"));
        byte[] changed = events.get(1).clone();
        changed[changed.length - 6] ^= 1; // in its JSON
        server.enqueue(wire.reply(List.of(events.getFirst(), changed)));
        ModelException e = catchThrowableOfType(ModelException.class, () -> ask(CLAUDE));
        assertThat(e.kind()).isEqualTo(ModelException.Kind.PROTOCOL);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 15, -1})
    void aFrameOfAnImpossibleLengthIsNoEvent(int length) {
        byte[] frame = wire.events(WireAnswer.text("x")).getFirst().clone();
        for (int i = 0; i < 4; i++) {
            frame[i] = (byte) (length >> (24 - 8 * i));
        }
        server.enqueue(wire.reply(List.of(frame)));
        ModelException e = catchThrowableOfType(ModelException.class, () -> ask(CLAUDE));
        assertThat(e.kind()).isEqualTo(ModelException.Kind.PROTOCOL);
    }

    @Test
    void aBodyThatIsNoStreamIsNotTakenForOne() {
        server.enqueue(Reply.html("<html>"));
        ModelException e = catchThrowableOfType(ModelException.class, () -> ask(CLAUDE));
        assertThat(e).hasMessageContaining("text/html");
    }

    @Test
    void thinkingThatNobodyIsShownGoesBackToo() throws InterruptedException {
        List<byte[]> events = wire.events(WireAnswer.calls(Reply.call("c1", "look", "{}")));
        byte[] redacted = wire.event(
                "{\"contentBlockIndex\":7,\"delta\":{\"reasoningContent\":" + "{\"redactedContent\":\"b3BhcXVl\"}}}");
        server.enqueue(wire.reply(Stream.concat(
                        Stream.of(events.getFirst(), redacted), events.stream().skip(1))
                .toList()));
        ModelResponse answer = ask(CLAUDE);
        server.enqueue(wire.reply(WireAnswer.text("ok")));
        ask(CLAUDE, goingOnWith(answer));
        assertThat(sent("/messages/1/content/0/reasoningContent/redactedContent"))
                .contains("b3BhcXVl");
    }

    private static ModelRequest goingOnWith(ModelResponse answer) {
        List<Part> said = List.of(
                new Part.Reasoning(answer.reasoning(), answer.providerState()),
                new Part.ToolCall("call_1", "c1", "look", "{}"));
        return new ModelRequest(
                List.of(
                        Message.user("Hi"),
                        new Message("", Role.ASSISTANT, said, false),
                        new Message("", Role.TOOL, List.of(new Part.ToolResult("call_1", "look", "", false)), false)),
                List.of(),
                ToolChoice.auto(),
                ModelSettings.DEFAULT);
    }

    @Test
    void toolsThatWereCalledBeforeStayNamed() throws InterruptedException {
        server.enqueue(wire.reply(WireAnswer.text("ok")));
        ask(CLAUDE, goingOnWith(new ModelResponse("", "", List.of(), FinishReason.TOOL_CALLS, Usage.NONE, null)));
        assertThat(sent("/toolConfig/tools/0/toolSpec/name")).contains("look");
        assertThat(sent("/toolConfig/toolChoice")).isEqualTo("nothing");
    }

    @ParameterizedTest
    @CsvSource({
        "anthropic.claude-3-7-sonnet-20250219-v1:0, high, 16384, 24576",
        "eu.anthropic.claude-sonnet-4-20250514-v1:0, low, 2048, 10240",
        "anthropic.claude-opus-4-1-20250805-v1:0, 5000, 5000, 13192"
    })
    void anEffortIsABudgetForClaude(String model, String effort, int budget, int most) throws InterruptedException {
        server.enqueue(wire.reply(WireAnswer.text("ok")));
        ask("bedrock/" + model, thinking(effort));
        assertThat(sent("/additionalModelRequestFields/thinking/budget_tokens")).isEqualTo("" + budget);
        assertThat(sent("/inferenceConfig/maxTokens")).isEqualTo("" + most);
        assertThat(sent("/inferenceConfig/temperature")).isEqualTo("nothing");
    }

    @Test
    void laterModelsOfAnthropicAreToldTheEffort() throws InterruptedException {
        server.enqueue(wire.reply(WireAnswer.text("ok")));
        ask("bedrock/global.anthropic.claude-opus-5-20260301-v1:0", thinking("high"));
        assertThat(sent("/additionalModelRequestFields/thinking/type")).contains("adaptive");
        assertThat(sent("/additionalModelRequestFields/output_config/effort")).contains("high");
    }

    @Test
    void otherModelsAreToldNothingOfIt() throws InterruptedException {
        server.enqueue(wire.reply(WireAnswer.text("ok")));
        ask("bedrock/amazon.nova-pro-v1:0", thinking("high"));
        assertThat(sent("/additionalModelRequestFields")).isEqualTo("nothing");
        assertThat(sent("/inferenceConfig/temperature")).isEqualTo("0.5");
    }

    private static ModelRequest thinking(String effort) {
        return new ModelRequest(
                List.of(Message.user("Hi")),
                List.of(LOOK),
                ToolChoice.auto(),
                ModelSettings.DEFAULT.reasoningEffort(effort).temperature(0.5));
    }

    @Test
    void thePageNamesIt() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "providers.md"));
        assertThat(page).contains("`bedrock`", "`AWS_BEARER_TOKEN_BEDROCK`", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME");
    }

    /** A call nobody listens to. */
    private static final class Ignored implements ModelCall {
        @Override
        public void delta(ModelDelta delta) {}

        @Override
        public void onCancel(Runnable close) {}

        @Override
        public Duration connectTimeout() {
            return Duration.ofSeconds(10);
        }
    }
}
