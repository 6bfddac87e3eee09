package dev.chargehand.server.internal.wire.content;

import dev.chargehand.message.Part;
import dev.chargehand.server.internal.wire.Body;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads an image as clients send it: its address, or its bytes in base64. The server opens no address; a provider may. */
public final class SentImage {

    private static final Pattern DATA = Pattern.compile("data:(image/[a-zA-Z0-9.+-]+)(?:;[^,;]{0,100}){0,9};base64,");

    private static final Pattern ENDING = Pattern.compile("\\.(png|jpe?g|gif|webp)(?:[?#].*)?$");

    private static final String IMAGE = "image/";

    /** How the base64 of images starts. */
    private static final Map<String, String> STARTS =
            Map.of("iVBORw0KGgo", "png", "/9j/", "jpeg", "R0lGOD", "gif", "UklGR", "webp");

    private SentImage() {}

    /**
     * Return an image.
     *
     * @param at the part that has it
     * @param field its field with an {@code https:} or {@code data:} URL, or with bytes in base64
     * @param type where the type of its bytes is: {@code mediaType} or {@code mimeType} of this object
     */
    public static Part.Image of(Body at, String field, Body type) {
        String sent = at.text(field).orElseThrow(() -> at.problem(field, "is missing"));
        Optional<String> mediaType = mediaType(type);
        if (sent.startsWith("https://")
                && sent.chars().noneMatch(each -> each <= ' ' || Character.isISOControl(each))) {
            return new Part.Image(mediaType.orElseGet(() -> ofName(sent)), sent);
        }
        Matcher data = DATA.matcher(sent);
        if (data.lookingAt() && areBytes(sent.substring(data.end()))) {
            return new Part.Image(data.group(1), sent);
        }
        Optional<String> found = mediaType.or(() -> ofBytes(sent));
        if (found.isPresent() && areBytes(sent)) {
            return new Part.Image(found.get(), "data:" + found.get() + ";base64," + sent);
        }
        throw at.problem(field, "must be the https: URL of an image, or an image in base64, as a data: URL has it");
    }

    private static Optional<String> mediaType(Body type) {
        String field = type.json("mediaType").isPresent() ? "mediaType" : "mimeType";
        Optional<String> given = type.id(field);
        if (given.filter(value -> !value.startsWith(IMAGE)).isPresent()) {
            throw type.problem(field, "must be that of an image: other files are not offered");
        }
        return given;
    }

    private static String ofName(String url) {
        Matcher ending = ENDING.matcher(url.toLowerCase(Locale.ROOT));
        return IMAGE + (ending.find() ? ending.group(1).replace("jpg", "jpeg") : "*");
    }

    private static Optional<String> ofBytes(String bytes) {
        return STARTS.entrySet().stream()
                .filter(start -> bytes.startsWith(start.getKey()))
                .map(start -> IMAGE + start.getValue())
                .findFirst();
    }

    private static boolean areBytes(String text) {
        try {
            return Base64.getDecoder().decode(text).length > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
