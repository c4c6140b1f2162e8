// The Needham-Schroeder public-key protocol between A and B, with an intruder I who sends what it can know. The known attack ends in the
// assertion: B believes to talk with A, and the intruder has B's nonce. Lowe's version, whose second message names B, has no attack.
// covet: cover % --function protocol
// covet: cover % --function protocol -- -DBUG
#include <assert.h>

enum { A = 1, B = 2, I = 3 };
enum { NONCE_A = 11, NONCE_B = 12, NONCE_I = 13 };

struct message {
    int kind, key, first, second;
};

static int initiator_peer, initiator_done, responder_peer, responder_state, responder_done;
static int knows_a, knows_b;

static void overhear(struct message sent)
{
    if (sent.key != I)
        return;
    if (sent.first == NONCE_A || sent.second == NONCE_A)
        knows_a = 1;
    if (sent.first == NONCE_B || sent.second == NONCE_B)
        knows_b = 1;
}

static int can_send(struct message message)
{
    int parts[2] = {message.first, message.second};
    for (int i = 0; i < 2; i++) {
        if (parts[i] == NONCE_A && !knows_a)
            return 0;
        if (parts[i] == NONCE_B && !knows_b)
            return 0;
    }
    return 1;
}

/* A sends {nonce A, A} to its peer and answers {nonce A, n} with {n}. */
static struct message initiator(struct message received, int from)
{
    struct message answer = {0, 0, 0, 0};
    if (received.kind != 2 || received.key != A || received.first != NONCE_A || initiator_done)
        return answer;
#ifndef BUG
    if (from != initiator_peer)
        return answer;
#else
    (void)from;
#endif
    initiator_done = 1;
    answer.kind = 3;
    answer.key = initiator_peer;
    answer.first = received.second;
    return answer;
}

/* B answers {n, who} with {n, nonce B} (and its name) for who, and is done with {nonce B}. */
static struct message responder(struct message received)
{
    struct message answer = {0, 0, 0, 0};
    if (received.key != B)
        return answer;
    if (received.kind == 1 && responder_state == 0 && (received.second == A || received.second == I)) {
        responder_peer = received.second;
        responder_state = 1;
        answer.kind = 2;
        answer.key = responder_peer;
        answer.first = received.first;
        answer.second = NONCE_B;
    } else if (received.kind == 3 && responder_state == 1 && received.first == NONCE_B) {
        responder_done = 1;
    }
    return answer;
}

int protocol(int peer, int kinds[3], int firsts[3], int seconds[3])
{
    struct message pending = {0, 0, 0, 0};
    if (peer != B && peer != I)
        return 0;
    initiator_peer = peer;
    overhear((struct message){1, peer, NONCE_A, A});
    for (int step = 0; step < 3; step++) {
        struct message sent, answer;
        if (kinds[step] == 0 && pending.kind == 2) {
            /* The intruder passes B's sealed answer on to A as it is. */
            answer = initiator(pending, B);
        } else {
            sent = (struct message){kinds[step], B, firsts[step], seconds[step]};
            if (!can_send(sent))
                return -1;
            answer = responder(sent);
        }
        if (answer.kind == 2)
            pending = answer;
        overhear(answer);
    }
    assert(!(responder_done && responder_peer == A && knows_b));
    return responder_done;
}
