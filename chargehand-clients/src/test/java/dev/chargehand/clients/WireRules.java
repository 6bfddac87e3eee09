package dev.chargehand.clients;

import dev.chargehand.json.Json;
import dev.chargehand.server.internal.wire.Frame;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The rules of the contract for what is sent on each wire. */
final class WireRules {

    private static final int LONGEST_FRAME = 1 << 20;
    private static final Set<String> AI_SDK_TYPES = Set.of(
            "start",
            "start-step",
            "finish-step",
            "reset-step",
            "text-start",
            "text-delta",
            "text-end",
            "reasoning-start",
            "reasoning-delta",
            "reasoning-end",
            "tool-input-start",
            "tool-input-delta",
            "tool-input-available",
            "tool-output-available",
            "tool-output-error",
            "tool-output-denied",
            "tool-approval-request",
            "finish",
            "error",
            "abort");

    private final Delivery delivery;
    private final List<Json> chunks;

    private WireRules(Delivery delivery) {
        this.delivery = delivery;
        this.chunks = delivery.chunks();
    }

    /** Check what one request received. */
    static void check(Delivery delivery) {
        WireRules rules = new WireRules(delivery);
        delivery.frames().forEach(rules::frame);
        switch (delivery.wire()) {
            case CHAT -> rules.chat();
            case RESPONSES -> rules.responses();
            case AI_SDK -> rules.aiSdk();
            case AG_UI -> rules.agUi();
            case MASTRA -> rules.mastra();
        }
    }

    /** Check the form of frames only. */
    static void checkFrames(Delivery delivery) {
        delivery.frames().forEach(new WireRules(delivery)::frame);
    }

    private static String text(Json chunk, String pointer) {
        return chunk.at(pointer).flatMap(Json::string).orElse("");
    }

    private void require(boolean holds, String rule, Json chunk) {
        if (!holds) {
            throw new AssertionError(rule + "\n" + chunk.text() + "\n" + delivery);
        }
    }

    private void frame(Frame frame) {
        String text = frame.text();
        boolean named = delivery.wire() == Delivery.Wire.RESPONSES;
        long lines = text.lines().count();
        boolean whole = text.endsWith("\n\n") && text.indexOf('\r') < 0 && lines == (named ? 3 : 2);
        require(whole, "A frame is one line of data and ends with an empty one", Json.of(text));
        require(text.startsWith(named ? "event: " : "data: "), "A frame has a known form", Json.of(text));
        require(text.length() <= LONGEST_FRAME, "A frame is not larger than the limit", Json.of(text.length()));
    }

    /** One mark ends the stream. */
    private void marked() {
        List<Frame> frames = delivery.frames();
        boolean once = frames.stream().filter(Frame.DONE::equals).count() == 1;
        require(once && frames.getLast().equals(Frame.DONE), "One mark is the last frame", Json.of(""));
    }

    private void chat() {
        marked();
        boolean ended = false;
        boolean started = false;
        for (Json chunk : chunks) {
            if (chunk.at("/error").isPresent()) {
                require(!ended, "An error follows no end", chunk);
                ended = true;
                continue;
            }
            require(text(chunk, "/object").equals("chat.completion.chunk"), "A chunk has its type", chunk);
            boolean role = text(chunk, "/choices/0/delta/role").equals("assistant");
            require(role != started, "The first chunk has the role, and no other", chunk);
            started = true;
            boolean usage = chunk.at("/choices/0").isEmpty();
            require(usage == ended, "The numbers follow the end, and nothing else does", chunk);
            ended = ended || !text(chunk, "/choices/0/finish_reason").isEmpty();
        }
        require(ended, "A stream says how it ended", chunks.getLast());
    }

    private void responses() {
        long last = -1;
        Set<String> open = new HashSet<>();
        StringBuilder said = new StringBuilder();
        int ends = 0;
        int items = 0;
        for (Json chunk : chunks) {
            String type = text(chunk, "/type");
            long number =
                    Long.parseLong(chunk.at("/sequence_number").orElseThrow().text());
            require(number > last, "Numbers grow", chunk);
            last = number;
            require(ends == 0, "Nothing follows the end", chunk);
            switch (type) {
                case "response.output_item.added" -> {
                    require(open.add(text(chunk, "/item/id")), "An item starts once", chunk);
                    require(open.size() == 1, "One item is open at a time", chunk);
                    require(
                            chunk.at("/output_index").orElseThrow().text().equals("" + items),
                            "Items are counted",
                            chunk);
                    said.setLength(0);
                }
                case "response.output_item.done" -> {
                    require(open.remove(text(chunk, "/item/id")), "An item ends that was open", chunk);
                    items++;
                }
                case "response.output_text.delta",
                        "response.reasoning_summary_text.delta",
                        "response.function_call_arguments.delta" -> {
                    require(open.contains(text(chunk, "/item_id")), "A part belongs to an open item", chunk);
                    said.append(text(chunk, "/delta"));
                }
                case "response.output_text.done", "response.reasoning_summary_text.done" ->
                    require(said.toString().equals(text(chunk, "/text")), "The whole is the sum of its parts", chunk);
                case "response.completed", "response.failed", "response.incomplete" -> {
                    ends++;
                    require(open.isEmpty(), "Nothing is open at the end", chunk);
                    boolean all = chunk.at("/response/output/" + items).isEmpty()
                            && (items == 0
                                    || chunk.at("/response/output/" + (items - 1))
                                            .isPresent());
                    require(all, "The response has all items", chunk);
                }
                default -> {}
            }
        }
        require(ends == 1, "One terminal event is sent", Json.of(ends));
    }

    private void aiSdk() {
        marked();
        Set<String> open = new HashSet<>();
        Set<String> calls = new HashSet<>();
        boolean continues = delivery.request().equals("answer");
        boolean step = false;
        int ends = 0;
        for (Json chunk : chunks) {
            String type = text(chunk, "/type");
            String kind = type.substring(0, Math.max(0, type.indexOf('-')));
            String id = kind + text(chunk, "/id");
            String call = text(chunk, "/toolCallId");
            require(AI_SDK_TYPES.contains(type) || type.startsWith("data-"), "A type is known", chunk);
            require(ends == 0, "Nothing follows the end", chunk);
            switch (type) {
                case "text-start", "reasoning-start" -> require(open.add(id), "A part starts once", chunk);
                case "text-delta", "reasoning-delta" -> require(open.contains(id), "A part was started", chunk);
                case "text-end", "reasoning-end" -> require(open.remove(id), "A part ends that was started", chunk);
                case "start-step" -> {
                    require(!step, "Steps do not overlap", chunk);
                    step = true;
                }
                case "finish-step" -> {
                    require(step && open.isEmpty(), "A step ends once, after its parts", chunk);
                    step = false;
                }
                case "tool-input-start" -> calls.add(call);
                case "tool-input-delta" -> require(calls.contains(call), "Input belongs to a call", chunk);
                case "tool-output-available", "tool-output-error", "tool-output-denied", "tool-approval-request" ->
                    require(continues || calls.contains(call), "An output belongs to a call", chunk);
                case "finish" -> {
                    require(!step && open.isEmpty(), "Nothing is open at the end", chunk);
                    ends++;
                }
                case "error", "abort" -> ends++;
                default -> {}
            }
        }
        require(ends == 1, "One chunk ends the message", Json.of(ends));
    }

    private void agUi() {
        Set<String> open = new TreeSet<>();
        int events = 0;
        int ends = 0;
        for (Json event : chunks) {
            String type = text(event, "/type");
            String kind = type.replaceAll("_(START(ED)?|CONTENT|ARGS|END|FINISHED|ERROR)$", "");
            String key = kind
                    + text(event, "/messageId")
                    + text(event, "/stepName")
                    + text(event, "/toolCallId")
                    + "/"
                    + text(event, "/subagentRunId");
            boolean ofRun = kind.equals("RUN");
            require((events++ == 0) == type.equals("RUN_STARTED"), "RUN_STARTED is first", event);
            require(ends == 0, "Nothing follows the end", event);
            event.fields().forEach((name, value) -> require(!value.text().equals("null"), "No field is null", event));
            if (ofRun) {
                ends += type.equals("RUN_STARTED") ? 0 : 1;
                require(!type.equals("RUN_FINISHED") || open.isEmpty(), "Nothing is open at the end: " + open, event);
            } else if (type.endsWith("_START") || type.endsWith("_STARTED")) {
                require(open.add(key), "A part starts once", event);
            } else if (type.endsWith("_CONTENT") || type.endsWith("_ARGS")) {
                require(open.contains(key), "A part was started", event);
            } else if (type.matches(".*_(END|FINISHED|ERROR)")) {
                require(open.remove(key), "A part ends that was started", event);
            }
        }
        require(ends == 1, "One event ends the run", Json.of(ends));
    }

    private void mastra() {
        marked();
        Set<String> calls = new HashSet<>();
        Set<String> texts = new HashSet<>();
        Set<String> reasoning = new HashSet<>();
        for (Json chunk : chunks) {
            require(text(chunk, "/runId").equals(delivery.run().root().value()), "A chunk names the run", chunk);
            Json inner = chunk;
            boolean nested = text(inner, "/type").equals("tool-output");
            boolean known = !nested || calls.contains(text(inner, "/payload/toolCallId"));
            require(known, "An envelope has a call", chunk);
            while (text(inner, "/type").equals("tool-output")) {
                inner = inner.at("/payload/output").orElseThrow();
            }
            String id = text(inner, "/payload/toolCallId");
            String part = text(inner, "/runId") + text(inner, "/payload/id");
            boolean network = delivery.run().network();
            switch (text(inner, "/type")) {
                case "tool-call" -> calls.add(id);
                case "tool-result", "tool-error", "tool-output-denied", "tool-call-approval", "tool-call-suspended" ->
                    require(network || nested || calls.contains(id), "An output has a call", chunk);
                case "finish" -> {
                    String run = text(inner, "/runId");
                    boolean failed = text(inner, "/payload/stepResult/reason").equals("error");
                    boolean closed = texts.stream().noneMatch(open -> open.startsWith(run));
                    require(network || failed || closed, "No text is open at the end", chunk);
                }
                case "text-start" -> require(texts.add(part), "A text starts once", chunk);
                case "text-delta" -> require(network || texts.contains(part), "A text was started", chunk);
                case "text-end" -> require(network || texts.remove(part), "A text ends that was started", chunk);
                case "reasoning-start" -> reasoning.add(part); // another attempt starts it again
                case "reasoning-delta" -> require(network || reasoning.contains(part), "Reasoning was started", chunk);
                case "reasoning-end" ->
                    require(network || reasoning.remove(part), "Reasoning ends that was started", chunk);
                default -> {}
            }
        }
    }
}
