package dev.chargehand.verify.streams;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/** Damages whole events of a stream: loses, repeats, reorders and rewrites them. */
final class FrameDamage {

    private static final Pattern INDEX = Pattern.compile("\"index\":\\d+,\"");
    private static final Pattern FINISH = Pattern.compile("\"finish_reason\":(\"\\w*\"|null)");
    private static final Pattern ID = Pattern.compile("\"id\":\"[^\"]*\",\"type");

    private static final List<String> INDEXES =
            List.of("0", "1", "7", "-1", "99999999999", "\"0\"", "null", "1.5", "[]", "{\"a\":1}", "2147483647");
    private static final List<String> FINISHES = List.of(
            "\"length\"",
            "null",
            "\"\"",
            "\"content_filter\"",
            "\"tool_calls\"",
            "\"stop\"",
            "7",
            "{}",
            "[\"stop\"]",
            "\"STOP\"");
    private static final List<String> ODD = List.of(
            "",
            " ",
            "{",
            "}",
            "[]",
            "null",
            "true",
            "7",
            "\"text\"",
            "{}",
            "{}{}",
            "{\"choices\":null}",
            "{\"choices\":{}}",
            "{\"choices\":[]}",
            "{\"choices\":[null]}",
            "{\"choices\":[[]]}",
            "{\"choices\":[{}]}",
            "{\"choices\":[{\"delta\":null}]}",
            "{\"choices\":[{\"delta\":[]}]}",
            "{\"choices\":[{\"delta\":{\"content\":7}}]}",
            "{\"choices\":[{\"delta\":{\"content\":{\"a\":[1]}}}]}",
            "{\"choices\":[{\"delta\":{\"content\":[null,[],{}]}}]}",
            "{\"choices\":[{\"delta\":{\"tool_calls\":{}}}]}",
            "{\"choices\":[{\"delta\":{\"tool_calls\":[null,7,{}]}}]}",
            "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":null}]}}]}",
            "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":{\"a\":[1,{\"b\":null}]}}}]}}]}",
            "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"count\",\"function\":{\"arguments\":\"{}\"}}}]}}]}",
            "{\"choices\":[{\"delta\":{\"function_call\":{\"name\":\"count\",\"arguments\":\"{}\"}}}]}",
            "{\"choices\":[{\"delta\":{\"content\":\"\\ud83d\"}}]}",
            "{\"choices\":[{\"delta\":{\"content\":\"\\uZZZZ\"}}]}",
            "{\"choices\":[{\"delta\":{\"reasoning\":\"a\",\"reasoning_content\":\"a\"}}]}",
            "{\"usage\":{\"prompt_tokens\":-5,\"completion_tokens\":1e400}}",
            "{\"usage\":[]}",
            "{\"usage\":{\"prompt_tokens\":99999999999999999999,\"completion_tokens\":9223372036854775807}}",
            "{\"error\":{\"message\":\"" + Writing.CANARY + "\",\"code\":429}}",
            "{\"error\":\"" + Writing.CANARY + "\"}",
            "{\"error\":null}",
            "{\"error\":[]}",
            "{\"object\":\"error\"}",
            "{\"x_groq\":{\"usage\":7}}",
            "{\"choices\":[{\"delta\":{\"content\":\"x\"}}],\"choices\":[{\"delta\":{\"content\":\"x\"}}]}",
            "[".repeat(100),
            "{\"a\":".repeat(100) + "1" + "}".repeat(100),
            "[DONE] and more",
            "[done]",
            "NaN",
            "{'choices':[]}",
            "{\"choices\":[{\"delta\":{\"content\":\"" + "y".repeat(9_000) + "\"}}]}");

    private final SplittableRandom random;
    private final List<String> frames;

    private FrameDamage(SplittableRandom random, List<String> frames) {
        this.random = random;
        this.frames = new ArrayList<>(frames);
    }

    /** Return the events with one to three things wrong; where the finish reason stands is not known any more. */
    static Frames.Stream damage(SplittableRandom random, Frames.Stream stream) {
        FrameDamage damage = new FrameDamage(random, stream.data());
        for (int i = 1 + random.nextInt(3); i > 0 && !damage.frames.isEmpty(); i--) {
            damage.once();
        }
        return new Frames.Stream(damage.frames, -1);
    }

    private void once() {
        int at = random.nextInt(frames.size());
        String frame = frames.get(at);
        switch (random.nextInt(14)) {
            case 0 -> frames.remove(at);
            case 1 -> frames.add(at, frame);
            case 2 -> frames.add(random.nextInt(frames.size()), frames.remove(at));
            case 3, 4 -> frames.add(at, ODD.get(random.nextInt(ODD.size())));
            case 5 -> frames.set(at, frame.substring(0, random.nextInt(frame.length() + 1)));
            case 6 -> frames.add(at, Frames.DONE);
            case 7 -> frames.removeIf(Frames.DONE::equals);
            case 8 -> frames.add(Frames.DONE);
            case 9 -> replaceAll(INDEX, "\"index\":" + INDEXES.get(random.nextInt(INDEXES.size())) + ",\"");
            case 10 -> replaceAll(INDEX, "\"");
            case 11 -> replaceAll(ID, random.nextBoolean() ? "\"type" : "\"id\":\"same\",\"type");
            case 12 -> replaceAll(FINISH, "\"finish_reason\":" + FINISHES.get(random.nextInt(FINISHES.size())));
            default -> replaceAll(FINISH, "\"finish\":\"stop\"");
        }
    }

    /** Replace here and there, or everywhere. */
    private void replaceAll(Pattern pattern, String with) {
        boolean everywhere = random.nextBoolean();
        frames.replaceAll(frame -> everywhere || random.nextInt(3) == 0
                ? pattern.matcher(frame).replaceAll(java.util.regex.Matcher.quoteReplacement(with))
                : frame);
    }
}
