package dev.chargehand.testkit.provider.reply;

import dev.chargehand.testkit.provider.request.ChatRequest;
import dev.chargehand.testkit.provider.request.FunctionCall;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Answer a chat-completions request as a healthy provider does.
 *
 * <p>A request with {@code "stream": true} gets a stream: role, reasoning, text, tool calls (name first, then the
 * arguments), finish reason, usage if {@code stream_options.include_usage} asked for it, {@code [DONE]}. Any other gets
 * one JSON document with the same content. Immutable, safe to share; see {@link Reply}.
 */
public final class ChatReply implements Reply {
    static final ChatReply EMPTY =
            new ChatReply(List.of(), List.of(), List.of(), 0, "", TokenUsage.of(10, 5), Pacing.NONE, List.of(), false);

    private final List<String> reasoning;
    private final List<Run> text;
    private final List<FunctionCall> calls;
    private final int fragment;
    private final String finish;
    private final TokenUsage usage;
    private final Pacing pacing;
    private final List<Header> headers;
    private final boolean gzip;
    private final Map<Shape, WireReply> rendered = new ConcurrentHashMap<>(4);

    private ChatReply(
            List<String> reasoning,
            List<Run> text,
            List<FunctionCall> calls,
            int fragment,
            String finish,
            TokenUsage usage,
            Pacing pacing,
            List<Header> headers,
            boolean gzip) {
        this.reasoning = reasoning;
        this.text = text;
        this.calls = calls;
        this.fragment = fragment;
        this.finish = finish;
        this.usage = usage;
        this.pacing = pacing;
        this.headers = headers;
        this.gzip = gzip;
    }

    /** A delta that comes so many times in a row. */
    private record Run(String delta, int times) {}

    /** What is sent depends on the request in these ways only. */
    private enum Shape {
        DOCUMENT,
        STREAM,
        STREAM_WITH_USAGE
    }

    /** Think these deltas ({@code reasoning_content}) before the text. */
    public ChatReply reasoning(String... deltas) {
        return new ChatReply(
                joined(reasoning, List.of(deltas)), text, calls, fragment, finish, usage, pacing, headers, gzip);
    }

    /** Say these deltas as well. */
    public ChatReply andText(String... deltas) {
        return withText(Stream.of(deltas).map(delta -> new Run(delta, 1)).toList());
    }

    /** Say this delta so many times as well. */
    public ChatReply andRepeated(String delta, int times) {
        return withText(List.of(new Run(delta, times)));
    }

    /** Make these tool calls as well, after the text. */
    public ChatReply andToolCalls(FunctionCall... more) {
        return new ChatReply(
                reasoning, text, joined(calls, List.of(more)), fragment, finish, usage, pacing, headers, gzip);
    }

    /** Stream the arguments of tool calls in fragments of so many characters; by default each in one. */
    public ChatReply fragment(int characters) {
        if (characters < 1) {
            throw new IllegalArgumentException("A fragment has 1 character or more, not " + characters + ".");
        }
        return new ChatReply(reasoning, text, calls, characters, finish, usage, pacing, headers, gzip);
    }

    /** Finish for this reason; by default {@code tool_calls} where there are some, else {@code stop}. */
    public ChatReply finish(String reason) {
        return new ChatReply(reasoning, text, calls, fragment, reason, usage, pacing, headers, gzip);
    }

    /** Claim these token counts. */
    public ChatReply usage(TokenUsage counts) {
        return new ChatReply(reasoning, text, calls, fragment, finish, counts, pacing, headers, gzip);
    }

    /** Claim these token counts, none of them cached or spent on reasoning. */
    public ChatReply usage(long input, long output) {
        return usage(TokenUsage.of(input, output));
    }

    @Override
    public ChatReply delay(Duration delay) {
        return paced(pacing.withDelay(delay));
    }

    @Override
    public ChatReply between(Duration gap) {
        return paced(pacing.withParts(gap));
    }

    @Override
    public ChatReply chunkSplit(int bytes) {
        return paced(pacing.withPieces(bytes, Duration.ZERO));
    }

    @Override
    public ChatReply writeSplit(int bytes) {
        return paced(pacing.withWrites(bytes));
    }

    @Override
    public ChatReply drip(int bytesPerSecond) {
        return paced(pacing.withRate(bytesPerSecond));
    }

    @Override
    public ChatReply gzip() {
        return new ChatReply(reasoning, text, calls, fragment, finish, usage, pacing, headers, true);
    }

    @Override
    public ChatReply header(String name, String value) {
        return new ChatReply(
                reasoning,
                text,
                calls,
                fragment,
                finish,
                usage,
                pacing,
                joined(headers, List.of(new Header(name, value))),
                gzip);
    }

    @Override
    public WireReply onWire(ReceivedRequest request) {
        ChatRequest chat = request.chat();
        Shape shape = !chat.stream() ? Shape.DOCUMENT : chat.usageAsked() ? Shape.STREAM_WITH_USAGE : Shape.STREAM;
        return rendered.computeIfAbsent(shape, this::render);
    }

    private WireReply render(Shape shape) {
        return dressed(shape == Shape.DOCUMENT ? document() : stream(shape == Shape.STREAM_WITH_USAGE));
    }

    private WireReply document() {
        String said = text.stream().map(run -> run.delta().repeat(run.times())).collect(Collectors.joining());
        return Reply.status(200)
                .body(ChatJson.completion(String.join("", reasoning), said, calls, finishReason(), usage));
    }

    private WireReply stream(boolean withUsage) {
        List<Action> events = new ArrayList<>();
        add(events, ChatJson.role(), 1);
        reasoning.forEach(delta -> add(events, ChatJson.reasoning(delta), 1));
        text.forEach(run -> add(events, ChatJson.text(run.delta()), run.times()));
        for (int i = 0; i < calls.size(); i++) {
            FunctionCall call = calls.get(i);
            add(events, ChatJson.call(i, new FunctionCall(call.id(), call.name(), "")), 1);
            for (String fragment : fragments(call.arguments())) {
                add(events, ChatJson.arguments(i, fragment), 1);
            }
        }
        add(events, ChatJson.finish(finishReason()), 1);
        if (withUsage) {
            add(events, ChatJson.usage(usage), 1);
        }
        add(events, "[DONE]", 1);
        return Reply.sse().addAll(events);
    }

    private static void add(List<Action> events, String data, int times) {
        events.add(WireReply.encode(data, times, "\n"));
    }

    private WireReply dressed(WireReply wire) {
        WireReply dressed = wire.paced(pacing);
        for (Header header : headers) {
            dressed = dressed.header(header.name(), header.value());
        }
        return gzip ? dressed.gzip() : dressed;
    }

    private String finishReason() {
        return !finish.isEmpty() ? finish : calls.isEmpty() ? "stop" : "tool_calls";
    }

    /** Cut between characters: what is not valid text on its own has to be scripted by hand. */
    private List<String> fragments(String arguments) {
        if (fragment == 0) {
            return List.of(arguments);
        }
        List<String> fragments = new ArrayList<>();
        for (int from = 0; from < arguments.length(); ) {
            int to = Math.min(arguments.length(), from + fragment);
            if (to < arguments.length() && Character.isLowSurrogate(arguments.charAt(to))) {
                to++;
            }
            fragments.add(arguments.substring(from, to));
            from = to;
        }
        return fragments;
    }

    private ChatReply withText(List<Run> more) {
        return new ChatReply(reasoning, joined(text, more), calls, fragment, finish, usage, pacing, headers, gzip);
    }

    private ChatReply paced(Pacing changed) {
        return new ChatReply(reasoning, text, calls, fragment, finish, usage, changed, headers, gzip);
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
