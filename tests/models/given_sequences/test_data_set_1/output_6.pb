
fewer