package dev.chargehand.testkit.provider.reply;

import java.util.List;

/** Writes the JSON of the embeddings wire. */
final class EmbeddingsJson {
    private EmbeddingsJson() {}

    /** The whole answer, with 10 tokens in its usage. */
    static String answer(List<float[]> vectors) {
        StringBuilder json = new StringBuilder("{\"object\":\"list\",\"data\":[");
        for (int i = 0; i < vectors.size(); i++) {
            json.append(i == 0 ? "" : ",")
                    .append("{\"object\":\"embedding\",\"index\":")
                    .append(i);
            numbers(json.append(",\"embedding\":["), vectors.get(i));
            json.append("]}");
        }
        return json.append("],\"model\":\"loopback\",\"usage\":{\"prompt_tokens\":10,\"total_tokens\":10}}")
                .toString();
    }

    /** A number that JSON cannot have is written as a string, as some servers do. */
    private static void numbers(StringBuilder json, float[] vector) {
        for (int i = 0; i < vector.length; i++) {
            json.append(i == 0 ? "" : ",");
            if (Float.isFinite(vector[i])) {
                json.append(vector[i]);
            } else {
                json.append('"').append(vector[i]).append('"');
            }
        }
    }
}
