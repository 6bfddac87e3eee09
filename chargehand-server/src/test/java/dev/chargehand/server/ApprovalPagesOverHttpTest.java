package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.WaitingCall.WaitingFilter.Position;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lists of more waiting calls than a page has, and cursors of other lists. */
class ApprovalPagesOverHttpTest extends ServerFixture {

    private static final String LIST = "/api/v1/approvals";

    @TempDir
    private Path folder;

    private ApiKeys keys;
    private int threads;

    private ChargehandServer serve(AgentRuntime runtime, HttpBinding binding) {
        keys = ApiKeys.of(folder.resolve("keys.json"));
        return serve(runtime, builder -> builder.binding(binding).addPrincipals(keys));
    }

    /** Return the key of a caller with the resource, and with all scopes but some. */
    private String key(String tenant, String resource, Scope... without) {
        Set<Scope> scopes = EnumSet.allOf(Scope.class);
        scopes.removeAll(List.of(without));
        String name = resource + "-" + tenant + "-" + scopes.size();
        return keys.add(new ApiKey(name, new Principal(name, tenant, Optional.of(resource), scopes), Optional.empty()));
    }

    private PendingApproval park(TenantRuntime runtime, String resource, int amount) {
        script.on("clerk").calls("pay", Map.of("amount", amount));
        return runtime.bind(runtime.agent("clerk"))
                .generate("Pay.", options -> options.thread("t" + ++threads).resource(resource))
                .pendingApprovals()
                .getFirst();
    }

    private HttpResponse<String> get(ChargehandServer server, String path, String key) {
        return send(
                request(server, path).header("Authorization", "Bearer " + key).build());
    }

    private void approve(ChargehandServer server, PendingApproval call, String key) {
        script.on("clerk").says("Paid.");
        HttpRequest.Builder request = request(
                        server, LIST + "/" + call.runId().value() + "." + call.callId() + ".1/answer")
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        Json.of(Map.of("decision", "approve", "digest", call.digest()))
                                .text()));
        assertThat(send(request.build()).statusCode()).isEqualTo(200);
    }

    private static List<String> runs(HttpResponse<String> page) {
        return Stream.of(Json.parse(page.body()).at("/approvals").orElseThrow().as(Json[].class))
                .map(each -> each.at("/rootRunId").flatMap(Json::string).orElseThrow())
                .toList();
    }

    private static List<String> runs(List<PendingApproval> calls) {
        return calls.stream().map(call -> call.rootRunId().value()).toList();
    }

    @ParameterizedTest
    @EnumSource
    void pagesHaveEveryCallOfTheirCallerOnceWhileCallsAreAnswered(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, binding);
        String ann = key("local", "ann", Scope.RESOURCES_ANY);
        List<PendingApproval> calls = new ArrayList<>();
        for (int i = 0; i < 450; i++) {
            calls.add(park(runtime.forTenant("local"), "ann", i));
            if (i % 50 == 0) {
                park(runtime.forTenant("local"), "bob", i);
                park(runtime.forTenant("other"), "ann", i);
            }
        }
        calls.sort(Comparator.comparing(call -> new Position(call.askedAt(), call.runId(), call.callId())));

        HttpResponse<String> first = get(server, LIST + "?limit=200", ann);
        assertThat(runs(first)).isEqualTo(runs(calls.subList(0, 200)));
        approve(server, calls.get(0), ann);
        approve(server, calls.get(199), ann); // the one after which the next page starts
        approve(server, calls.get(230), ann);
        HttpResponse<String> second = get(server, LIST + "?limit=200&after=" + at(first, "/next"), ann);
        List<PendingApproval> rest = new ArrayList<>(calls.subList(200, 450));
        rest.remove(calls.get(230));
        assertThat(runs(second)).isEqualTo(runs(rest.subList(0, 200)));
        HttpResponse<String> third = get(server, LIST + "?limit=49&after=" + at(second, "/next"), ann);
        assertThat(runs(third)).isEqualTo(runs(rest.subList(200, 249)));
        assertThat(at(third, "/next")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void callsAreListedThatExpireBeforeATime(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, binding);
        String ann = key("local", "ann", Scope.RESOURCES_ANY);
        PendingApproval first = park(runtime.forTenant("local"), "ann", 1);
        PendingApproval second = park(runtime.forTenant("local"), "ann", 2);
        String later = second.expiresAt().plusMillis(1).toString();

        assertThat(get(server, LIST + "?expiringBefore=" + first.askedAt(), ann).body())
                .contains("\"approvals\":[]");
        HttpResponse<String> page = get(server, LIST + "?limit=1&expiringBefore=" + later, ann);
        assertThat(runs(page)).hasSize(1);
        String next = "&after=" + at(page, "/next");
        assertThat(runs(get(server, LIST + "?expiringBefore=" + later + next, ann)))
                .hasSize(1);
        assertThat(at(get(server, LIST + "?limit=1" + next, ann), "/code")).isEqualTo("bad-cursor");
        assertThat(at(get(server, LIST + "?expiringBefore=soon", ann), "/detail"))
                .contains("'expiringBefore' must be a time such as");
    }

    @Test
    void aCursorOfAnotherListIsRejected() {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, HttpBinding.JDK);
        String ann = key("local", "ann", Scope.RESOURCES_ANY);
        String any = key("local", "boss");
        for (String owner : List.of("ann", "ann", "bob", "bob")) {
            park(runtime.forTenant("local"), owner, 1);
        }
        String next = at(get(server, LIST + "?limit=1", ann), "/next");
        assertThat(runs(get(server, LIST + "?limit=1&after=" + next, ann))).hasSize(1);
        assertThat(runs(get(server, LIST + "?resource=ann&after=" + next, any))).hasSize(1);

        reject(get(server, LIST + "?after=" + next, key("local", "bob", Scope.RESOURCES_ANY)));
        reject(get(server, LIST + "?after=" + next, key("other", "ann", Scope.RESOURCES_ANY)));
        reject(get(server, LIST + "?after=" + next, any));
        reject(get(server, LIST + "?resource=bob&after=" + next, any));
        reject(get(server, LIST + "?agent=clerk&after=" + next, ann));
        reject(get(server, LIST + "?tool=pay&after=" + next, ann));
    }

    @Test
    void aTextThatTheListHasNotReturnedIsRejected() {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, HttpBinding.JDK);
        String ann = key("local", "ann");
        PendingApproval one = park(runtime.forTenant("local"), "ann", 1);
        PendingApproval other = park(runtime.forTenant("local"), "ann", 1);
        String next = at(get(server, LIST + "?resource=ann&limit=1", ann), "/next");
        String form = new String(Base64.getUrlDecoder().decode(next.substring(2)), StandardCharsets.UTF_8);
        // calls of the same millisecond have no order that is known before
        PendingApproval first = form.contains(one.runId().value()) ? one : other;
        String since = Long.toString(first.askedAt().toEpochMilli());
        assertThat(form).contains(since);
        for (String text : List.of(
                "x",
                "1",
                "1.",
                "1.e30",
                "1.!",
                first.runId().value(),
                "2." + next.substring(2),
                next + "=",
                next.substring(0, next.length() - 4),
                of(form.replace(since, "0")),
                of(form.replace(since, "x")),
                of(form.replace(first.runId().value(), "run_1")),
                of(form.replace("{", "{\"more\":\"1\",")),
                of(form + " "))) {
            reject(get(server, LIST + "?resource=ann&after=" + text, ann));
        }
    }

    private static String of(String form) {
        return "1." + Base64.getUrlEncoder().withoutPadding().encodeToString(form.getBytes(StandardCharsets.UTF_8));
    }

    private static void reject(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(at(answer, "/code")).isEqualTo("bad-cursor");
        assertThat(answer.body()).contains("Send the 'next' of the page before");
    }
}
