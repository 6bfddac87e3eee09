package dev.chargehand.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A schema that a person wrote is told what is wrong with it before a value is checked. */
class JsonSchemaMistakesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'type':'object','properties':{'town':{'type':['string','null']}},'required':['town']}",
                "{'$defs':{'town':{'type':'string'}},'$ref':'#/$defs/town'}",
                "{'properties':{'parent':{'$ref':'#'}}}",
                "{'properties':{'type':{'enum':['strin']}},'default':{'type':'strin'},'x-own':{'type':'strin'}}",
                "{'$schema':'http://json-schema.org/draft-07/schema','type':'string'}",
                "{'$schema':'http://json-schema.org/draft-07/schema#','items':[{'type':'string'}]}"
            })
    void aSchemaThatCanBeUsedHasNone(String schema) {
        assertThat(mistakes(schema)).isEmpty();
    }

    /** Callers send schemas with words of other tools; a line in the log for each would be theirs to write. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://json-schema.org/draft-04/schema#",
                "http://json-schema.org/draft-06/schema#",
                "http://json-schema.org/draft-07/schema#",
                "https://json-schema.org/draft/2019-09/schema",
                "https://json-schema.org/draft/2020-12/schema"
            })
    void wordsOfItsOwnChangeNothingAndAreNotLogged(String dialect) {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            JsonSchema schema = schema("{'$schema':'" + dialect
                    + "','type':'object','x-own':1,'properties':{'a':{'type':'string','x-a\\nb':{}}}}");
            assertThat(schema.mistakes()).isEmpty();
            assertThat(schema.violations(Json.parse("{\"a\":\"b\",\"c\":1}"))).isEmpty();
            assertThat(schema.violations(Json.parse("{\"a\":1}"))).hasSize(1);
        } finally {
            System.setErr(before);
        }
        assertThat(log.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'strng'} | /type: \"strng\" is no type; must be one of array, boolean, integer, null, number, object, string",
                "{'properties':{'a/b~c':{'type':'str'}}} | /properties/a~1b~0c/type: \"str\" is no type",
                "{'properties':{'type':{'items':{'type':['string','nil']}}}} | /properties/type/items/type/1: \"nil\" is no type",
                "{'anyOf':[{},{'not':{'type':7}}]} | /anyOf/1/not/type: 7 is no type",
                "{'properties':{'town':{'minLength':-1}}} | /properties/town/minLength: -1 is not allowed; must be a whole number that is not negative",
                "{'required':'town'} | /required: \"town\" is not allowed; must be a list of names of properties",
                "{'items':[{'type':'string'}]} | /items: array found",
                "{'pattern':'['} | '[' is not a regular expression: Unclosed character class",
                "{'$ref':'#/$defs/town'} | /$ref: \"#/$defs/town\" is not allowed; must be a place in this schema",
                "{'$schema':'https://example.org/mine'} | /$schema: must be one of http://json-schema.org/draft-04/schema#"
            })
    void whatIsWrongIsSaidWithItsPlace(String schema, String mistake) {
        assertThat(mistakes(schema))
                .anySatisfy(said -> assertThat(said).contains(mistake).doesNotContain("\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'strng'} | /type: \"strng\" is no type; must be one of array",
                "{'required':'q'} | /required: \"q\" is not allowed; must be a list of names of properties",
                "{'properties':{'a':{'required':[1]}}} | /properties/a/required: [1] is not allowed",
                "{'properties':[1]} | /properties: [1] is not allowed; must be an object that has schemas by their names",
                "{'properties':{'a':'string'}} | /properties/a: \"string\" is not allowed; must be an object, or a boolean",
                "{'enum':'a'} | /enum: \"a\" is not allowed; must be a list of values",
                "{'items':{'minimum':'x'}} | /items/minimum: \"x\" is not allowed; must be a number",
                "{'anyOf':[{'minLength':-1}]} | /anyOf/0/minLength: -1 is not allowed; must be a whole number",
                "{'oneOf':{}} | /oneOf: {} is not allowed; must be a list of schemas",
                "{'pattern':'['} | /pattern: '[' is not a regular expression: Unclosed character class",
                "{'patternProperties':{'(':{}}} | /patternProperties/(: '(' is not a regular expression",
                "{'$ref':'#/$defs/nope'} | /$ref: \"#/$defs/nope\" is not allowed; must be a place in this schema, such as #/$defs/NAME"
            })
    void aMistakeOfAKeywordIsFoundWithoutTheValidator(String schema, String mistake) {
        assertThat(schema(schema).keywordMistakes()).singleElement().asString().startsWith(mistake);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'properties':{'a':{'type':'string','required':true}}}",
                "{'minimum':0,'exclusiveMinimum':true}",
                "{'items':[{'type':'string'}],'additionalItems':false}",
                "{'definitions':{'a b':{'type':'string'}},'$ref':'#/definitions/a%20b'}",
                "{'$defs':{'a/b':true},'items':{'$ref':'#/$defs/a~1b'}}",
                "{'$defs':{'own':{'$id':'own','$defs':{'x':{}},'$ref':'#/$defs/x'}},'$ref':'#/$defs/own'}",
                "{'properties':{'required':{'type':'string'},'$ref':{'type':'string'},'enum':{},'pattern':{}}}",
                "{'const':{'required':'q'},'default':{'enum':'a'},'examples':[{'type':'x'}],'x-own':{'minimum':'x'}}",
                "{'nullable':true,'example':'x','format':'int32','dependencies':{'a':['b']}}",
                "{'pattern':'^\\\\p{Letter}+$','maxLength':3.0}"
            })
    void whatAVersionOfTheStandardAllowsIsNoMistakeOfAKeyword(String schema) {
        assertThat(schema(schema).keywordMistakes()).isEmpty();
    }

    @Test
    void aReferenceToAnotherPlaceIsNotFollowed() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(server, asked));
            assertThat(mistakes("{'$ref':'http://127.0.0.1:" + server.getLocalPort() + "/town.json'}"))
                    .singleElement()
                    .asString()
                    .contains("town.json leads out of the schema, and nothing else is read");
            assertThat(asked).hasValue(0);
        }
    }

    private static void answer(ServerSocket server, AtomicInteger asked) {
        try {
            while (true) {
                try (Socket client = server.accept()) {
                    asked.incrementAndGet();
                    client.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(StandardCharsets.UTF_8));
                }
            }
        } catch (IOException e) {
            // the server was closed: the test is over
        }
    }

    private static List<String> mistakes(String schema) {
        return schema(schema).mistakes();
    }

    private static JsonSchema schema(String schema) {
        return JsonSchema.of(Json.parse(schema.replace('\'', '"')));
    }
}
