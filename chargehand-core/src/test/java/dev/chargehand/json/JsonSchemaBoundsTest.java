package dev.chargehand.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No value makes its validation cost more than in proportion to its length, and none makes it read anything else. */
@Timeout(120)
class JsonSchemaBoundsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'pattern':'^\\\\S+@\\\\S+\\\\.\\\\S+$'}",
                "{'pattern':'^(@+)+\\\\.$'}",
                "{'anyOf':[{'pattern':'^(@+)+\\\\.$'},{'type':'string'}]}",
                "{'not':{'pattern':'^(@+)+\\\\.$'}}",
                "{'$ref':'#/$defs/mail','$defs':{'mail':{'pattern':'^(@|@@)+\\\\.$'}}}"
            })
    void aPatternThatTakesTooLongIsAViolation(String schema) {
        assertThat(violations(schema, Json.of("@".repeat(20_000))))
                .singleElement()
                .asString()
                .startsWith("cannot be checked: The regular expression ")
                .endsWith(" takes too long on this text of 20000 characters.");
    }

    @Test
    void aPatternOfNamesTakesNoLongerEither() {
        Json value = Json.parse("{\"" + "@".repeat(20_000) + "\":1}");

        assertThat(violations("{'patternProperties':{'^(@+)+\\\\.$':{}}}", value))
                .singleElement()
                .asString()
                .contains("takes too long");
        assertThat(violations("{'propertyNames':{'pattern':'^(@+)+\\\\.$'}}", value))
                .singleElement()
                .asString()
                .contains("takes too long");
    }

    @Test
    void aPatternThatNeedsTooDeepAStackIsAViolation() {
        assertThat(violations("{'pattern':'^(a|b)*$'}", Json.of("a".repeat(200_000))))
                .singleElement()
                .asString()
                .contains("takes too long");
    }

    @Test
    void aLongValueThatAPatternReadsOnceIsChecked() {
        Json value = Json.of("a".repeat(2_000_000));

        assertThat(violations("{'pattern':'^[a-z]*$'}", value)).isEmpty();
        assertThat(violations("{'pattern':'^[b-z]*$'}", value)).hasSize(1);
    }

    @Test
    void aListOfAnyLengthIsChecked() {
        Json value = Json.parse("[" + "1,".repeat(300_000) + "1]");

        assertThat(violations("{'items':{'anyOf':[{'type':'string'},{'type':'integer'}]}}", value))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$ref':'#'}",
                "{'anyOf':[{'type':'array','items':{'$ref':'#'}},{'type':'array','items':{'$ref':'#'}}]}",
                "{'allOf':[{'items':{'$ref':'#'}},{'items':{'$ref':'#'}}]}"
            })
    void referencesThatLeadRoundAreAViolation(String schema) {
        assertThat(violations(schema, Json.parse("[".repeat(60) + "1" + "]".repeat(60))))
                .singleElement()
                .asString()
                .contains("cannot be checked: the schema takes too long");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'$ref':'classpath:schemas/secret.json'} | classpath:schemas/secret.json",
                "{'$ref':'resource:schemas/secret.json'} | resource:schemas/secret.json",
                "{'$ref':'file:///etc/secret.json'} | file:///etc/secret.json",
                "{'$ref':'jar:file:/a.jar!/secret.json'} | jar:file:/a.jar!/secret.json",
                "{'$ref':'https://example.org/secret.json'} | https://example.org/secret.json",
                "{'$ref':'secret.json'} | secret.json",
                "{'$dynamicRef':'classpath:secret.json'} | classpath:secret.json",
                "{'$id':'classpath:schemas/','$ref':'secret.json'} | secret.json",
                "{'$id':'https://example.org/a/b','$ref':'../c#/x'} | ../c#/x",
                "{'properties':{'a':{'items':[{'$ref':'classpath:secret.json'}]}}} | classpath:secret.json",
                "{'properties':{'const':{'$ref':'classpath:secret.json'}}} | classpath:secret.json",
                "{'$defs':{'a':{'$ref':'classpath:secret.json'}}} | classpath:secret.json",
                "{'x-own':{'$ref':'classpath:secret.json'}} | classpath:secret.json",
                "{'$ref':'not an: address'} | not an: address"
            })
    void aReferenceThatLeadsOutIsNotFollowed(String schema, String reference) {
        assertThat(schema(schema).foreignReferences()).containsExactly(reference);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$ref':'#/$defs/a','$defs':{'a':{}}}",
                "{'$id':'https://example.org/a','$ref':'https://example.org/a#/$defs/b','$defs':{'b':{}}}",
                "{'$defs':{'a':{'$id':'https://example.org/y','type':'integer'}},'$ref':'https://example.org/y'}",
                "{'properties':{'$ref':{'type':'string'}}}",
                "{'const':{'$ref':'classpath:x'}}",
                "{'enum':[{'$ref':'classpath:x'}],'default':{'$ref':'classpath:x'},'examples':[{'$ref':'file:x'}]}",
                "{'$schema':'https://json-schema.org/draft/2020-12/schema','$ref':'#/$defs/a','$defs':{'a':{}}}"
            })
    void aReferenceWithinTheSchemaIsNoneOfThem(String schema) {
        assertThat(schema(schema).foreignReferences()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$ref':'classpath:draft/2020-12/schema'}",
                "{'$ref':'resource:draft/2020-12/schema'}",
                "{'$schema':'classpath:draft/2020-12/schema'}",
                "{'$schema':'resource:/draft/2020-12/schema'}",
                "{'$ref':'#/$defs/missing'}",
                "{'$dynamicRef':'#'}",
                "{'pattern':'['}"
            })
    void aSchemaThatCannotBeUsedRefusesEveryValue(String schema) {
        assertThat(violations(schema, Json.of("x"))).singleElement().asString().startsWith("cannot be checked");
    }

    private static List<String> violations(String schema, Json value) {
        return schema(schema).violations(value);
    }

    private static JsonSchema schema(String schema) {
        return JsonSchema.of(Json.parse(schema.replace('\'', '"')));
    }
}
