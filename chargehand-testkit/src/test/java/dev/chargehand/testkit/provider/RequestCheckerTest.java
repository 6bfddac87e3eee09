package dev.chargehand.testkit.provider;

import static dev.chargehand.testkit.provider.WireClient.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.testkit.provider.reply.Reply;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each rule, kept and broken. */
class RequestCheckerTest {
    private static final String SYSTEM = "{'role':'system','content':'s'}";
    private static final String USER = "{'role':'user','content':'u'}";
    private static final String ASSISTANT = "{'role':'assistant','content':'a'}";

    @AutoClose
    private LoopbackProvider provider = LoopbackProvider.start();

    private static String calls(String... ids) {
        StringBuilder calls = new StringBuilder();
        for (String id : ids) {
            calls.append(calls.isEmpty() ? "" : ",")
                    .append("{'id':'" + id + "','type':'function','function':{'name':'f','arguments':'{}'}}");
        }
        return "{'role':'assistant','content':null,'tool_calls':[" + calls + "]}";
    }

    private static String result(String id) {
        return "{'role':'tool','tool_call_id':'" + id + "','content':'r'}";
    }

    private List<Violation> sent(String body) throws Exception {
        provider.always(Reply.text("ok"));
        post(provider, body);
        assertThat(provider.log().getLast().violations()).isEqualTo(provider.violations());
        return provider.violations();
    }

    private List<Violation> messages(String... messages) throws Exception {
        return sent(("{'model':'m','messages':[" + String.join(",", messages) + "]}").replace('\'', '"'));
    }

    private void broken(Rule rule, String detail, List<Violation> violations) {
        assertThat(violations).singleElement().satisfies(violation -> {
            assertThat(violation.rule()).isEqualTo(rule);
            assertThat(violation.sequence()).isEqualTo(1);
            assertThat(violation.detail()).contains(detail);
        });
        assertThatThrownBy(provider::verify).isInstanceOf(AssertionError.class).hasMessageContaining(rule.name());
    }

    @Test
    void aWellFormedConversationBreaksNothing() throws Exception {
        assertThat(messages(
                        SYSTEM,
                        USER,
                        calls("1", "2"),
                        result("2"),
                        result("1"),
                        ASSISTANT,
                        SYSTEM,
                        USER,
                        calls("3"),
                        result("3"),
                        SYSTEM,
                        SYSTEM))
                .isEmpty();
        provider.verify();
    }

    @Test
    void aConversationMayStartWithoutASystemMessage() throws Exception {
        assertThat(messages(USER, ASSISTANT, SYSTEM, USER)).isEmpty();
    }

    @Test
    void oneSystemMessageAtTheHeadIsEnough() throws Exception {
        broken(
                Rule.ONE_SYSTEM_MESSAGE,
                "2 system messages",
                messages(SYSTEM, SYSTEM.replace("system", "developer"), USER));
    }

    @Test
    void aCallNeedsAResultBeforeTheNextUserMessage() throws Exception {
        broken(
                Rule.CALL_HAS_RESULT,
                "'2' has no result before messages[3]",
                messages(USER, calls("1", "2"), result("1"), USER));
    }

    @Test
    void aCallNeedsAResultBeforeTheNextAssistantMessage() throws Exception {
        broken(Rule.CALL_HAS_RESULT, "'1' has no result before messages[2]", messages(USER, calls("1"), ASSISTANT));
    }

    @Test
    void aCallNeedsAResultBeforeTheEnd() throws Exception {
        broken(Rule.CALL_HAS_RESULT, "'1' has no result before the end of the list", messages(USER, calls("1")));
    }

    @Test
    void aResultNeedsACall() throws Exception {
        broken(Rule.RESULT_HAS_CALL, "messages[1]: no open tool call '1'", messages(USER, result("1")));
    }

    @Test
    void aResultFollowsItsOwnAssistantMessage() throws Exception {
        List<Violation> violations = messages(USER, calls("1"), USER, result("1"));

        assertThat(violations).extracting(Violation::rule).containsExactly(Rule.CALL_HAS_RESULT, Rule.RESULT_HAS_CALL);
    }

    @Test
    void aCallIsAnsweredOnce() throws Exception {
        broken(Rule.RESULT_HAS_CALL, "'1' is answered again", messages(USER, calls("1"), result("1"), result("1")));
    }

    @Test
    void idsAreNotUsedAgainInALaterStep() throws Exception {
        broken(
                Rule.UNIQUE_CALL_ID,
                "messages[3]: tool call id '1'",
                messages(USER, calls("1"), result("1"), calls("1"), result("1")));
    }

    @Test
    void anIdIsNotEmpty() throws Exception {
        broken(Rule.UNIQUE_CALL_ID, "is empty", messages(USER, calls(""), result("")));
    }

    @Test
    void aCalledFunctionHasAName() throws Exception {
        broken(Rule.FUNCTION_NAME, "messages[1]", messages(USER, calls("1").replace("'f'", "''"), result("1")));
    }

    @ParameterizedTest
    @CsvSource({"bad name", "'', ", "ü", "a.b"})
    void anOfferedToolHasAnAllowedName(String name) throws Exception {
        broken(Rule.FUNCTION_NAME, "tools: function name", sent(withTools(name == null ? "" : name)));
    }

    @Test
    void aToolIsOfferedOnce() throws Exception {
        broken(Rule.FUNCTION_NAME, "'f' is offered twice", sent(withTools("f", "g", "f")));
    }

    private static String withTools(String... names) {
        List<String> tools = Stream.of(names)
                .map(name -> "{\"type\":\"function\",\"function\":{\"name\":\"" + name + "\"}}")
                .toList();
        return "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"u\"}],\"tools\":" + tools + "}";
    }

    @Test
    void aRoleIsKnown() throws Exception {
        broken(Rule.KNOWN_ROLE, "messages[1] has the role 'bot'", messages(USER, "{'role':'bot','content':'x'}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "not json | the body is not JSON",
                "[1] | not a JSON object",
                "{} | needs a model and at least one message",
                "{\"model\":\"m\",\"model\":\"n\"} | the body is not JSON",
                "{\"model\":\"m\",\"messages\":[]} | needs a model",
                "{} {} | the body is not JSON",
            })
    void aBodyIsReadable(String body, String detail) throws Exception {
        broken(Rule.READABLE_BODY, detail, sent(body));
    }

    @Test
    void aBodyHasALimit() throws Exception {
        provider.close();
        provider = LoopbackProvider.start(ProviderOptions.DEFAULT.withMaxBodyBytes(60));

        broken(Rule.BODY_SIZE, "bytes; 60 are allowed", messages(USER, ASSISTANT));
    }

    @Test
    void aForbiddenTextIsFoundEscapedAndIsNotQuoted() throws Exception {
        provider.forbid("other", "canary-ü");
        List<Violation> violations = messages(USER.replace("'u'", "'it is canary-\\u00fc'"));

        broken(Rule.FORBIDDEN_TEXT, "forbidden text 2 of 2 is in the body", violations);
        assertThat(violations.toString()).doesNotContain("canary");
    }

    @Test
    void aForbiddenTextMayStandInACredentialHeaderOnly() throws Exception {
        provider.forbid("sk-1").always(Reply.text("ok"));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(provider.baseUrl() + "/models"))
                .header("Authorization", "Bearer sk-1");
        try (HttpClient client = HttpClient.newHttpClient()) {
            client.send(request.build(), HttpResponse.BodyHandlers.discarding());
            assertThat(provider.violations()).isEmpty();
            client.send(request.header("X-Trace", "a sk-1").build(), HttpResponse.BodyHandlers.discarding());
        }
        assertThat(provider.violations()).singleElement().satisfies(violation -> assertThat(violation.detail())
                .containsIgnoringCase("header x-trace"));
    }

    @Test
    void rulesCanBeLeftUnchecked() throws Exception {
        provider.close();
        provider = LoopbackProvider.start(ProviderOptions.DEFAULT.without(Rule.ONE_SYSTEM_MESSAGE));
        assertThat(messages(SYSTEM, SYSTEM, USER)).isEmpty();
        assertThat(ProviderOptions.DEFAULT.withRules(Set.of()).rules()).isEmpty();
        assertThatThrownBy(() -> ProviderOptions.DEFAULT.withPort(70_000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ProviderOptions.DEFAULT.withKeptExchanges(-1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
